#!/bin/sh
# Command line of the Debian package: uses the options of the service and its data directory, and,
# when called by root, runs as its user, so that no file there belongs to root.
set -e
export STEADING_DATA="${STEADING_DATA:-/var/lib/steading}"
settings=/etc/steading/steading.env
node=/usr/lib/steading-node/bin/node
[ -x "$node" ] || node=node
[ -r "$settings" ] && set -- "--env-file=$settings" /usr/lib/steading/bin/steading.js "$@" ||
  set -- /usr/lib/steading/bin/steading.js "$@"
if [ "$(id -u)" = 0 ]; then
  exec setpriv --reuid=steading --regid=steading --init-groups "$node" "$@"
fi
exec "$node" "$@"
