#!/bin/bash
# Two hosts of uplinks and the router outside, each a network namespace with an FRR and an lldpd of its own.
# All of it ends with its standard input: `world.sh <directory>`.
set -eu
directory=$1
export PATH="$PATH:/usr/sbin:/sbin:/usr/lib/frr"
mkdir -p /run/frr /etc/frr /run/netns
for folder in /run/frr /etc/frr /run/netns; do mount -t tmpfs world "$folder"; done
chown frr:frr /run/frr /etc/frr

cat >"$directory/start" <<'START'
#!/bin/bash
# Starts the daemons of FRR of a namespace that do not run: `start <namespace>`.
set -eu
export PATH="$PATH:/usr/lib/frr"
cd /
for daemon in zebra staticd bfdd bgpd; do
  if kill -0 "$(cat "/run/frr/$1/$daemon.pid" 2>/dev/null)" 2>/dev/null; then continue; fi
  ip netns exec "$1" "$daemon" -d -N "$1" -A 127.0.0.1 --log stdout >/dev/null 2>&1
done
until ip netns exec "$1" vtysh -N "$1" -c 'show daemons' 2>/dev/null | grep -q bgpd; do :; done
# As the service does.
ip netns exec "$1" vtysh -N "$1" -b >/dev/null 2>&1 || true
START
chmod +x "$directory/start"

for name in router edge0 edge1; do
  ip netns add "$name"
  ip -n "$name" link set lo up
  mkdir "/run/frr/$name" "/etc/frr/$name"
  touch "/etc/frr/$name/frr.conf"
  echo 'service integrated-vtysh-config' >"/etc/frr/$name/vtysh.conf"
  chown -R frr:frr "/run/frr/$name" "/etc/frr/$name"
  # Each address is ready at once.
  ip netns exec "$name" sysctl -qw net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0 \
    net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
done
for number in 0 1; do
  for pair in "eth1 up$number" "eth2 side$number"; do
    set -- $pair
    ip -n "edge$number" link add "$1" type veth peer name "$2" netns router
    ip -n "edge$number" link set "$1" up
    ip -n router link set "$2" up
  done
  ip -n router address add "192.0.2.$((4 * number + 1))/30" dev "up$number"
  ip -n router address add "2001:db8:$number::1/64" dev "up$number"
done
for name in router edge0 edge1; do "$directory/start" "$name" & done
wait

# They answer once they have a socket.
ip netns exec edge0 lldpd -d -u /run/frr/edge0.lldp -I eth1 2>/dev/null &
ip netns exec router lldpd -d -u /run/frr/router.lldp -I up0 2>/dev/null &
until lldpcli -u /run/frr/edge0.lldp show chassis >/dev/null 2>&1; do :; done
until lldpcli -u /run/frr/router.lldp show chassis >/dev/null 2>&1; do :; done
for name in edge0 router; do lldpcli -u "/run/frr/$name.lldp" configure lldp tx-interval 1 >/dev/null; done
echo up
cat >/dev/null
