diff <(cat <<LEFT
one
two
LEFT
) - <<-RIGHT
	one
	three
	RIGHT
paste /dev/fd/3 /dev/fd/4 3<<A 4<<B
1
A
2
B
