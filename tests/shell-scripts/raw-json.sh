curl -sS -X POST -H 'Content-Type: application/json' -H "Authorization: Bearer $TOKEN" \
  -d '{"name": "web01", "tags": ["a", "b"], "note": "it'"'"'s up"}' "https://api.example/v1/hosts?dry=1&x=[1]"
curl -s "http://127.0.0.1:$PORT/metrics" | grep '^up{job="app"}'
