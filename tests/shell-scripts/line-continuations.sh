docker run --rm \
  -v "$PWD:/work" \
  -e "TOKEN=$TOKEN" \
  alpine:3 \
  sh -c 'ls \
    -l' && echo \
  done
a=1; ech\
o two
