#!/bin/bash
# Starts an OVN of one host in the present network namespace.
# $1: an empty directory, $2: the room for the databases, or nothing
set -e
B=$1
here=$(dirname "$0")
mkdir -p "$B"/{run,db}
if [ -n "${2:-}" ]; then mount -t tmpfs -o "size=$2" databases "$B/db"; fi
ip link set lo up
# Namespaces of probes end with the world.
mkdir -p /run/netns
mount -t tmpfs namespaces /run/netns
bash "$here/start-central.sh" "$B"
bash "$here/start-chassis.sh" "$B" one "unix:$B/run/ovnsb_db.sock" 127.0.0.1
export OVS_RUNDIR=$B/run
ovs-vsctl --no-wait set open . external-ids:ovn-bridge-mappings=outside:br-outside
