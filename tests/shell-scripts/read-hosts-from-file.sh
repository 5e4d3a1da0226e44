while IFS=, read -r name address role
do
    case $role in
        web|proxy) ssh -n "admin@$address" sudo nginx -t ;;
        db) ssh -n "admin@$address" "sudo -u postgres psql -c 'select 1'";;
        '' | \#*) continue ;;
        *) echo "$name: nothing to do for role '$role'" ;;
    esac
done < hosts.csv
