#!/bin/bash
# Starts an OVN of one host in the present network namespace.
# $1: an empty directory, $2: the room for the databases, or nothing
set -e
B=$1
mkdir -p "$B"/{run,log,db,etc}
if [ -n "${2:-}" ]; then mount -t tmpfs -o "size=$2" databases "$B/db"; fi
export OVS_RUNDIR=$B/run OVS_LOGDIR=$B/log OVS_DBDIR=$B/db OVS_SYSCONFDIR=$B/etc
export OVN_RUNDIR=$B/run OVN_LOGDIR=$B/log OVN_DBDIR=$B/db
ip link set lo up
# Namespaces of probes end with the world.
mkdir -p /run/netns
mount -t tmpfs namespaces /run/netns
for d in nb sb; do
  ovsdb-tool create "$B/db/$d.db" "/usr/share/ovn/ovn-$d.ovsschema"
  ovsdb-server --remote="punix:$B/run/ovn${d}_db.sock" --pidfile="$B/run/ovn${d}_db.pid" \
    --unixctl="$B/run/ovn${d}_db.ctl" --log-file="$B/log/$d.log" --detach "$B/db/$d.db"
done
ovsdb-tool create "$B/db/conf.db" /usr/share/openvswitch/vswitch.ovsschema
ovsdb-server "$B/db/conf.db" --remote="punix:$B/run/db.sock" --pidfile="$B/run/ovsdb-server.pid" \
  --unixctl="$B/run/ovsdb-server.ctl" --log-file="$B/log/ovsdb.log" --detach
ovs-vsctl --no-wait init
ovs-vsctl --no-wait set open . external-ids:system-id=one external-ids:hostname=one \
  "external-ids:ovn-remote=unix:$B/run/ovnsb_db.sock" external-ids:ovn-encap-type=geneve \
  external-ids:ovn-encap-ip=127.0.0.1 external-ids:ovn-bridge-datapath-type=netdev \
  external-ids:ovn-bridge-mappings=outside:br-outside
ovs-vswitchd "unix:$B/run/db.sock" --pidfile \
  --log-file="$B/log/vswitchd.log" --detach
ovn-nbctl init
ovn-sbctl init
ovn-northd --pidfile --log-file="$B/log/northd.log" --detach
ovn-controller "unix:$B/run/db.sock" --pidfile \
  --log-file="$B/log/controller.log" --detach
