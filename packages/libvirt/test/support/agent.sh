#!/bin/sh
# An agent of QEMU in a guest, for tests. It takes one way to answer after the other from `ways`:
# `<request>:<way>` for the next request of that kind, while all others are answered as they should be.
modprobe virtio_console
until port=$(grep -l org.qemu.guest_agent.0 /sys/class/virtio-ports/*/name); do usleep 100000; done
port=/dev/$(basename "$(dirname "$port")")
exec 3<>"$port"
# libvirt gives up an agent that answers nonsense until it opens its port again.
reopen() {
  exec 3>&-
  until (: 3<>"$port") 2>/dev/null; do usleep 100000; done
  exec 3<>"$port"
}
echo 'The agent is ready.' >/dev/ttyS0
answer() { echo "$1" >&3; }
set -- WAYS
while :; do
  # Nobody is at the other end.
  read -r line <&3 || { usleep 100000; continue; }
  case "$line" in
  *guest-sync*) request=sync ;;
  *guest-fsfreeze-freeze*) request=freeze ;;
  *guest-fsfreeze-thaw*) request=thaw ;;
  *) request=other ;;
  esac
  result=0
  case "$request" in
  sync) result=$(echo "$line" | sed 's/.*"id": *\([0-9]*\).*/\1/') ;;
  freeze) result=1 ;;
  esac
  way=right
  if [ "$request:" = "${1%%:*}:" ]; then
    way=${1#*:}
    shift
  fi
  case "$way" in
  right) answer "{\"return\": $result}" ;;
  silent) ;;
  slow) sleep 4; answer "{\"return\": $result}" ;;
  endless) tr '\0' 0 </dev/zero | timeout 5 head -c 64000000 >&3; reopen ;;
  malformed) answer '{"return": ['; sleep 1; reopen ;;
  esac
done
