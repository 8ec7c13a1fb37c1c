#!/bin/bash
# Prepares a new mount and network namespace, as root of its user namespace, and then keeps it. Ends
# with the supervisor until it is prepared, so that a half of it never stays.
# $1: the directory of the host, $2: that of its sockets, $3: the supervisor, $4: the id of the host
set -euo pipefail
umask 077
directory=$1 runtime=$2 supervisor=$3 id=$4
[ "$PPID" = "$supervisor" ]

# Whether $1 shows something that can be bound: sockets of strangers may be unreadable.
bind() { mount -n --rbind "$1" "$2" 2>/dev/null; }

# A /run with directories of our own, and everything else of the host's.
stage=$directory/stage
mkdir -p "$stage"
mount -n -t tmpfs -o mode=755 steading "$stage"
shopt -s nullglob dotglob
for entry in /run/*; do
  place=$stage/${entry##*/}
  case ${entry##*/} in
    # Also files of the daemons of the system, such as libvirtd.pid.
    libvirt* | virt* | openvswitch | ovn | netns | lock) ;;
    *)
      if [ -L "$entry" ]; then
        cp -P "$entry" "$place"
      elif [ -d "$entry" ]; then
        mkdir "$place"
        bind "$entry" "$place" || rmdir "$place"
      else
        touch "$place"
        bind "$entry" "$place" || rm "$place"
      fi
      ;;
  esac
done
mkdir -m 755 "$stage"/{libvirt,openvswitch,ovn,netns,lock}
for each in libvirt openvswitch ovn; do mount -n --bind "$runtime/$each" "$stage/$each"; done
mount -n --move "$stage" /run

mount -n --bind "$directory/libvirt/etc" /etc/libvirt
for each in lib cache log; do mount -n --bind "$directory/libvirt/$each" "/var/$each/libvirt"; done

# So that it shows the devices of this network namespace. Some hosts do not permit it.
mount -n -t sysfs sysfs /sys 2>/dev/null || true

cd /proc/sys/net
echo 0 >ipv4/conf/all/rp_filter
echo 0 >ipv4/conf/default/rp_filter
echo 1 >ipv4/ip_forward
if [ -e ipv6 ]; then echo 1 >ipv6/conf/all/forwarding; fi
ip link set lo up
# One end is a port of br-outside. Addresses and routes at the other end outlive Open vSwitch, which
# takes its own devices along when it ends.
ip link add outside type veth peer name outside-ovs
echo 1 >ipv4/conf/outside/route_localnet
# Open vSwitch in user space sends packets as they are, without their checksum.
ethtool -K outside tx off >/dev/null
if [ -e ipv6 ]; then echo 1 >ipv6/conf/outside-ovs/disable_ipv6; fi
ip link set outside-ovs up
ip link set outside up
nft -f "${BASH_SOURCE[0]%/*}/rules.nft"
cd /

echo "$id" >"$runtime/prepared.new"
mv "$runtime/prepared.new" "$runtime/prepared"
exec setpriv --pdeathsig clear sleep infinity
