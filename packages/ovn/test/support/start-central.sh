#!/bin/bash
# Starts OVN's databases and northd in the present network namespace.
# $1: a directory
set -e
B=$1
mkdir -p "$B"/{run,log,db}
export OVN_RUNDIR=$B/run OVN_LOGDIR=$B/log OVN_DBDIR=$B/db OVS_RUNDIR=$B/run
for d in nb sb; do
  ovsdb-tool create "$B/db/$d.db" "/usr/share/ovn/ovn-$d.ovsschema"
  ovsdb-server --remote="punix:$B/run/ovn${d}_db.sock" --pidfile="$B/run/ovn${d}_db.pid" \
    --remote="db:OVN_$([ $d = nb ] && echo Northbound,NB_Global || echo Southbound,SB_Global),connections" \
    --unixctl="$B/run/ovn${d}_db.ctl" --log-file="$B/log/$d.log" --detach "$B/db/$d.db"
done
ovn-nbctl init
ovn-sbctl init
ovn-northd --pidfile --log-file="$B/log/northd.log" --detach
