#!/bin/bash
# Starts Open vSwitch and OVN's controller in the present network namespace, with the settings that
# the directory has from an earlier start.
# $1: a directory, $2: the name of the chassis, $3: the southbound database, $4: the address of tunnels
set -e
B=$1
mkdir -p "$B"/{run,log,db,etc}
export OVS_RUNDIR=$B/run OVS_LOGDIR=$B/log OVS_DBDIR=$B/db OVS_SYSCONFDIR=$B/etc
export OVN_RUNDIR=$B/run OVN_LOGDIR=$B/log
[ -e "$B/db/conf.db" ] || ovsdb-tool create "$B/db/conf.db" /usr/share/openvswitch/vswitch.ovsschema
ovsdb-server "$B/db/conf.db" --remote="punix:$B/run/db.sock" --pidfile="$B/run/ovsdb-server.pid" \
  --unixctl="$B/run/ovsdb-server.ctl" --log-file="$B/log/ovsdb.log" --detach
ovs-vsctl --no-wait init
ovs-vsctl --no-wait set open . "external-ids:system-id=$2" "external-ids:hostname=$2" \
  "external-ids:ovn-remote=$3" external-ids:ovn-encap-type=geneve \
  "external-ids:ovn-encap-ip=$4" external-ids:ovn-bridge-datapath-type=netdev
ovs-vswitchd "unix:$B/run/db.sock" --pidfile \
  --log-file="$B/log/vswitchd.log" --detach
ovn-controller "unix:$B/run/db.sock" --pidfile \
  --log-file="$B/log/controller.log" --detach
