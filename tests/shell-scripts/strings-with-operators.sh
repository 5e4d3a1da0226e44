echo "a && b; c | d > e" 'f || g & h' i\;j k\&l m\|n
grep -E 'a|b' file && grep "x;y" file || echo \(none\)
ssh h "echo 'a;b' && echo \"c|d\""
