kubectl get pods -n prod -o json | jq -r '.items[] | select(.status.phase != "Running") | .metadata.name' \
  | xargs -r -n1 kubectl describe pod -n prod
kubectl patch deploy web -p '{"spec":{"replicas":3}}'
