#!/bin/sh
# Command line of the Debian package: uses the options of the service and its data directory, and,
# when called by root, runs as the owner of that directory, so that no other user has files there.
set -e
export STEADING_DATA="${STEADING_DATA:-/var/lib/steading}"
settings=/etc/steading/steading.env
node=/usr/lib/steading-node/bin/node
[ -x "$node" ] || node=node
[ -r "$settings" ] && set -- "--env-file=$settings" /usr/lib/steading/bin/steading.js "$@" ||
  set -- /usr/lib/steading/bin/steading.js "$@"
owner=$(stat -c %U "$STEADING_DATA" 2>/dev/null) || owner=steading
if [ "$(id -u)" = 0 ] && [ "$owner" != root ]; then
  exec setpriv --reuid="$owner" --regid="$owner" --init-groups "$node" "$@"
fi
exec "$node" "$@"
