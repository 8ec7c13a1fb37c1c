#!/bin/bash
# Runs a command as on a machine of its own with the OVN and the libvirt of the system, in namespaces
# for the network, mounts and processes, which end with it.
# $1: an empty directory; then the command
set -e
B=$1
shift
here=$(dirname "$0")
# What the machine has of its own: sockets, definitions of domains, and logs.
mkdir -p "$B"/libvirt
cp /etc/libvirt/*.conf "$B/libvirt"
mount -t tmpfs run /run
mkdir -p /run/lock /run/libvirt /run/openvswitch /run/ovn
for directory in /var/lib/libvirt /var/cache/libvirt /var/log/libvirt /etc/libvirt /var/log/ovn; do
  mount -t tmpfs own "$directory"
done
cp "$B"/libvirt/*.conf /etc/libvirt
# An address by which others reach this machine, and the way out.
ip link add machine type veth peer name others
ip address add 192.0.2.1/24 dev machine
ip link set machine up
ip link set others up
bash "$here/../../../ovn/test/support/start-ovn.sh" "$B"
mount --bind "$B/run" /run/openvswitch
mount --bind "$B/run" /run/ovn
mount --bind "$B/log" /var/log/ovn
virtlogd --daemon
libvirtd --daemon
"$@"
