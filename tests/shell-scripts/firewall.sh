nft -f - <<'RULES'
table inet filter {
  chain input { type filter hook input priority 0; policy drop; tcp dport { 22, 443 } accept; }
}
RULES
iptables -S | grep -c -- '-j DROP' || :
