docker compose -f compose.yaml -f "compose.${ENVIRONMENT:-dev}.yaml" up -d --build
docker ps --format '{{.Names}}\t{{.Status}}' | column -t -s $'\t'
docker exec -i db psql -U app <<SQL
select count(*) from users where name like '%o''brien%';
SQL
