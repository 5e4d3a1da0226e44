for dev in /dev/sd[b-e]; do
  blkid -- "$dev" || { pvcreate "$dev" && vgextend data "$dev"; }
done
lvextend -r -L +10G /dev/data/www
lsblk -o NAME,SIZE,MOUNTPOINT -n | awk 'NF==3'
