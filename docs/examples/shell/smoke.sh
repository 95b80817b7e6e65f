#!/bin/sh
# Run by: voxctl emulator exec --seed empty -- sh smoke.sh
# Creates a contact with curl, and checks that a contact without a name is refused.
set -eu

request() {
  curl --silent --show-error --max-time 10 \
    --header "Authorization: Bearer $VOXCTL_API_KEY" --header 'Content-Type: application/json' "$@"
}

group=$(request "$VOXCTL_BASE_URL/groups?type=contacts" | sed -n 's/.*"id":"\([0-9a-f]*\)".*/\1/p')
created=$(request --data "{\"group_id\":\"$group\",\"first_name\":\"Anna\"}" "$VOXCTL_BASE_URL/contacts")
case $created in
  *'"first_name":"Anna"'*) echo "created: Anna" ;;
  *) echo "not created: $created" >&2; exit 1 ;;
esac

refused=$(request --data "{\"group_id\":\"$group\"}" --output /dev/null --write-out '%{http_code}' "$VOXCTL_BASE_URL/contacts")
[ "$refused" = 400 ] || { echo "a contact without a name: $refused" >&2; exit 1; }
echo "refused: a contact without a name"
