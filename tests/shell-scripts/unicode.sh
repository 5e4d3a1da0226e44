echo "größe: ${size:-—}" 'naïve' ünïcode # ärger
printf '%s\n' "$(printf '→ %s' "日本")" | grep -F '→'
