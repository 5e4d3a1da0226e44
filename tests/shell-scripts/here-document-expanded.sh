target=${TARGET:?which one}
ssh "$target" bash -s -- "$1" <<EOF
echo "from $(hostname) for \$1"
cat > /tmp/note <<INNER
written by $USER at `date +%F`
INNER
EOF
