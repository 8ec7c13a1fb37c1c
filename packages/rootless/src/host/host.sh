#!/bin/bash
# The host without root: starts its namespaces and daemons, keeps them running, and ends them when
# nobody needs them any more.
#
# host.sh begin|keep|serve <directory> <runtime> <version> <first> <last> <address>
#   begin: starts the supervisor, or has a new one take over if version or ports differ; returns when
#          everything runs, and is called under the lock start.lock
#   keep:  the same, but leaves a supervisor with another version or other ports alone
#   serve: is the supervisor, outside of the namespaces
set -u
umask 077
verb=$1 directory=$2 runtime=$3 version=$4 first=$5 last=$6 address=$7
settings=("$version" "$first" "$last" "$address")
program=${BASH_SOURCE[0]%/*}

# Seconds.
ROUND=5
SOON=1
PATIENCE=60
# A daemon that ends this often, each time before it ran for a minute, is tried once a minute.
TRIES=5
MINUTE=60

fail() {
  echo "$*" >&2
  exit 1
}

# The start time of a process in clock ticks, which with its number identifies it until a reboot.
# Leaves it in REPLY. Fails if the process has ended.
born() {
  local line
  { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
  line=${line##*) }
  # shellcheck disable=SC2086
  set -- $line
  [[ $1 != [ZX] ]] && REPLY=${20}
}

# A shared lock: several may look at once.
is_locked() { ! flock -n -s "$directory/host.lock" true; }

# Reads the value of a line of the status. Leaves it in REPLY.
status_of() {
  local key value
  REPLY=
  [ -r "$runtime/status" ] || return 1
  while IFS=$'\t' read -r key value; do
    if [ "$key" = "$1" ]; then
      REPLY=$value
      return 0
    fi
  done <"$runtime/status"
  return 1
}

begin() {
  local deadline=$((SECONDS + 4 * PATIENCE)) own='' tries=0 asked=''
  while ((SECONDS < deadline)); do
    if status_of supervisor && [ "$REPLY" = "$own" ] && status_of state && [[ $REPLY == failed* ]]; then
      fail "${REPLY#failed }"
    fi
    if is_locked; then
      if [ "$verb" = keep ] || ! status_of settings || [ "$REPLY" = "${settings[*]}" ]; then
        status_of state && [ "$REPLY" = ready ] && return
      elif [ -z "$asked" ] && status_of supervisor; then
        kill -USR1 "$REPLY" && asked=yes
      fi
    elif [ -z "$own" ] || ! born "$own"; then
      ((++tries <= 3)) || fail "the supervisor ended again and again; see $directory/logs"
      # What one has left that was killed while it started is not worth keeping.
      if status_of id && [ -n "$REPLY" ]; then mv "$runtime/status" "$runtime/status.before"; fi
      rm -f "$runtime/status"
      setsid bash "$program/host.sh" serve "$directory" "$runtime" "${settings[@]}" \
        </dev/null >>"$directory/logs/host.log" 2>&1 &
      own=$!
    fi
    sleep 0.05
  done
  fail "the host did not start in time; see $directory/logs"
}

daemons=(
  ovsdb-northbound ovsdb-southbound ovsdb-openvswitch ovs-vswitchd ovn-northd ovn-controller
  virtlogd libvirtd pasta
)
declare -A pid birth since restarts deaths due reason
id='' holder='' holder_birth='' state=starting idle=0 rounds=0 told='' changed='' over='' handed='' adopted=''
boot=$(</proc/sys/kernel/random/boot_id)

log_of() {
  case $1 in
    virtlogd | libvirtd) REPLY=$directory/libvirt/log/$1.log ;;
    *) REPLY=$directory/logs/$1.log ;;
  esac
}

# Leaves the last lines of the log of a daemon in REPLY, on one line.
end_of_log() {
  log_of "$1"
  REPLY=$(tail -n 20 "$REPLY" 2>/dev/null | grep -v 'to syslog$' | tail -n 3 | tr -s '\t\n' ' ' | tail -c 300)
}

# Leaves the command of a daemon in the array command.
command_of() {
  local quietly=(-vconsole:info -vsyslog:off -vfile:off)
  local inside=(nsenter -t "$holder" -U -n -m --preserve-credentials --)
  local database=("${inside[@]}" ovsdb-server "${quietly[@]}")
  case $1 in
    ovsdb-northbound)
      command=("${database[@]}" --remote=punix:/run/ovn/ovnnb_db.sock
        --pidfile=/run/ovn/ovnnb_db.pid --unixctl=/run/ovn/ovnnb_db.ctl "$directory/ovn/northbound.db")
      ;;
    ovsdb-southbound)
      command=("${database[@]}" --remote=punix:/run/ovn/ovnsb_db.sock
        --pidfile=/run/ovn/ovnsb_db.pid --unixctl=/run/ovn/ovnsb_db.ctl "$directory/ovn/southbound.db")
      ;;
    ovsdb-openvswitch)
      command=("${database[@]}" --remote=punix:/run/openvswitch/db.sock
        --pidfile=/run/openvswitch/ovsdb-server.pid "$directory/ovn/openvswitch.db")
      ;;
    ovs-vswitchd)
      command=("${inside[@]}" ovs-vswitchd "${quietly[@]}"
        --pidfile=/run/openvswitch/ovs-vswitchd.pid unix:/run/openvswitch/db.sock)
      ;;
    ovn-northd)
      command=("${inside[@]}" ovn-northd "${quietly[@]}" --pidfile=/run/ovn/ovn-northd.pid
        --ovnnb-db=unix:/run/ovn/ovnnb_db.sock --ovnsb-db=unix:/run/ovn/ovnsb_db.sock)
      ;;
    ovn-controller)
      command=("${inside[@]}" ovn-controller "${quietly[@]}" --pidfile=/run/ovn/ovn-controller.pid
        unix:/run/openvswitch/db.sock)
      ;;
    virtlogd | libvirtd) command=("${inside[@]}" "$1") ;;
    pasta)
      # Its own address, so that those of the host lead to the host.
      command=(pasta --foreground --stderr --quiet --config-net --ns-ifname pasta0
        --address 192.0.0.2 --netmask 29 --gateway 192.0.0.1
        --address fd5a:91c7:2d0e::2 --gateway fe80::1
        --no-map-gw --no-dhcp --no-dhcpv6 --no-ra --dns-forward 192.0.0.3
        --tcp-ns none --udp-ns none --tcp-ports "$address/$first-$last" --udp-ports none)
      # A port takes a file, and some are needed besides.
      if [[ ${reason[pasta]:-} == *'Failed to bind any port'* ]]; then
        # Another program has them all. The way out works without.
        command[-3]=none
      elif (($(ulimit -Hn) > 2 * (last - first) + 1024)); then command[-1]="$address/$first-$last"; fi
      command+=("$holder")
      ;;
  esac
}

start() {
  local name=$1 command
  # Whoever waits for its socket waits for a new one.
  case $name in
    ovsdb-northbound) rm -f "$runtime/ovn/ovnnb_db.sock" ;;
    ovsdb-southbound) rm -f "$runtime/ovn/ovnsb_db.sock" ;;
    ovsdb-openvswitch) rm -f "$runtime/openvswitch/db.sock" ;;
    libvirtd) rm -f "$runtime/libvirt/libvirt-sock" ;;
  esac
  command_of "$name"
  log_of "$name"
  (
    # The first word of pasta's command, by which it is found again, is no file.
    if [ "$name" = pasta ]; then exec -a "$runtime/pasta" "${command[@]}"; fi
    exec "${command[@]}"
  ) </dev/null >>"$REPLY" 2>&1 7>&- 8>&- &
  pid[$name]=$!
  born "$!" || REPLY=
  birth[$name]=$REPLY
  since[$name]=$EPOCHSECONDS
  unset "due[$name]"
}

runs() { [ -n "${pid[$1]:-}" ] && born "${pid[$1]}" && [ "$REPLY" = "${birth[$1]}" ]; }

# A daemon has ended: starts it again, later if it ends again and again.
died() {
  local name=$1 code
  wait "${pid[$name]}" 2>/dev/null
  code=$?
  end_of_log "$name"
  # 127: not a child of this supervisor.
  if ((code == 127)); then
    reason[$name]="it has ended: $REPLY"
  elif ((code > 128)); then
    reason[$name]="it was ended by signal $((code - 128)): $REPLY"
  else
    reason[$name]="it has ended with $code: $REPLY"
  fi
  ((EPOCHSECONDS - since[$name] < MINUTE)) || deaths[$name]=0
  deaths[$name]=$((${deaths[$name]:-0} + 1))
  restarts[$name]=$((${restarts[$name]:-0} + 1))
  pid[$name]=
  since[$name]=$EPOCHSECONDS
  due[$name]=$EPOCHSECONDS
  if ((deaths[$name] > TRIES)); then
    due[$name]=$((EPOCHSECONDS + MINUTE))
  elif ((deaths[$name] > 1)); then
    due[$name]=$((EPOCHSECONDS + deaths[$name]))
    sweep
  fi
}

# Writes the status if it has changed: a line for each fact, and one for each daemon with its state,
# process, start time, second of the last change, restarts, and reason of the last end.
tell() {
  local name text
  printf -v text '%s\t%s\n' boot "$boot" id "$id" settings "${settings[*]}" \
    supervisor "$$" holder "$holder" holder_birth "$holder_birth" state "$state"
  for name in "${daemons[@]}"; do
    local is=waiting
    if [ -n "${pid[$name]:-}" ]; then
      is=running
    elif ((${deaths[$name]:-0} > TRIES)); then
      is=failed
    fi
    printf -v text '%sdaemon\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$text" "$name" "$is" \
      "${pid[$name]:--}" "${birth[$name]:--}" "${since[$name]:-0}" "${restarts[$name]:-0}" \
      "${reason[$name]:-}"
  done
  [ "$text" != "$told" ] || return 0
  told=$text changed=yes
  printf %s "$text" >"$runtime/status.new" && mv "$runtime/status.new" "$runtime/status" ||
    # The disk may be full: the next look tries again.
    told=
}

# Whether a process is in the mount namespace of this host. Finds also those that no file names.
is_inside() { [ "/proc/$1/root/var/lib/libvirt" -ef "$directory/libvirt/lib" ]; }

# Processes in the namespaces, in the array inside; with a word, those of programs that begin with it.
find_inside() {
  local path name
  inside=()
  for path in /proc/[0-9]*; do
    if [ -n "${1:-}" ]; then
      { read -r name <"$path/comm"; } 2>/dev/null || continue
      [[ $name == "$1"* ]] || continue
    fi
    if is_inside "${path#/proc/}"; then inside+=("${path#/proc/}"); fi
  done
}

has_guests() {
  local inside
  find_inside qemu-system-
  ((${#inside[@]} > 0))
}

# Whether a server has the pipe open for writing.
has_server() {
  read -r -t 0.05 -u 8
  local result=$?
  ((result == 0 || result > 128))
}

# Runs a command in the namespaces, which has PATIENCE seconds.
within() {
  timeout "$PATIENCE" nsenter -t "$holder" -U -n -m --preserve-credentials -- "$@" 7>&- 8>&-
}

# The start has failed. What an earlier supervisor has started runs on.
give_up() {
  local name
  end_of_log "${2:-host}"
  state="failed $1: $REPLY"
  if [ -z "$adopted" ]; then
    end_all
    for name in "${daemons[@]}"; do pid[$name]=; done
  fi
  tell
  exit 1
}

# Waits until a path is there. $2: the daemon that makes it
await() {
  local deadline=$((SECONDS + PATIENCE))
  until [ -e "$1" ]; do
    runs "$2" || give_up "$2 did not start" "$2"
    ((SECONDS < deadline)) || give_up "$2 did not answer in time" "$2"
    sleep 0.02
  done
}

make_namespaces() {
  local kept deadline=$((SECONDS + PATIENCE))
  sweep
  # Nothing of an earlier boot is true any more.
  rm -rf "$runtime"/{libvirt,openvswitch,ovn,prepared} "$directory/ovn/openvswitch.db"
  mkdir -m 700 "$runtime"/{libvirt,openvswitch,ovn}
  id=$(</proc/sys/kernel/random/uuid)
  unshare --user --map-root-user --map-auto --net --mount --propagation slave \
    setpriv --pdeathsig KILL \
    bash "$program/namespace.sh" "$directory" "$runtime" "$$" "$id" </dev/null 7>&- 8>&- &
  kept=$!
  until [ -e "$runtime/prepared" ]; do
    born "$kept" || give_up 'the namespaces cannot be made'
    ((SECONDS < deadline)) || give_up 'the namespaces were not made in time'
    sleep 0.02
  done
  set_holder "$kept" || give_up 'the namespaces are gone'
}

# Keeps the namespaces in which a process is. Fails if that process ends meanwhile.
hold() {
  local deadline=$((SECONDS + PATIENCE)) kept
  nsenter -t "$1" -U -n -m --preserve-credentials -- sleep infinity </dev/null 7>&- 8>&- &
  kept=$!
  until is_inside "$kept"; do
    born "$kept" && ((SECONDS < deadline)) || return
    sleep 0.02
  done
  set_holder "$kept"
}

set_holder() { born "$1" && holder=$1 holder_birth=$REPLY; }

# Creates a database, or brings it to the schema of the installed version.
make_database() {
  local path=$1 schema=$2 daemon=$3
  # It has the schema with which it was started.
  if runs "$daemon"; then return; fi
  if [ ! -e "$path" ]; then
    ovsdb-tool create "$path" "$schema"
  elif [ "$(ovsdb-tool needs-conversion "$path" "$schema")" = yes ]; then
    ovsdb-tool convert "$path" "$schema"
  fi
}

make_databases() {
  local south=("$directory/ovn/southbound.db" /usr/share/ovn/ovn-sb.ovsschema ovsdb-southbound)
  make_database "$directory/ovn/northbound.db" /usr/share/ovn/ovn-nb.ovsschema ovsdb-northbound &&
    make_database "$directory/ovn/openvswitch.db" /usr/share/openvswitch/vswitch.ovsschema \
      ovsdb-openvswitch || return
  # northd writes all of it anew.
  make_database "${south[@]}" || { rm -f "${south[0]}" && make_database "${south[@]}"; }
}

configure_libvirt() {
  local etc=$directory/libvirt/etc
  mkdir -p "$directory"/libvirt/{etc/qemu,lib,cache,log}
  if [ ! -e "$directory/libvirt/uuid" ]; then cp /proc/sys/kernel/random/uuid "$directory/libvirt/uuid"; fi
  { cat "$program/libvirtd.conf" && echo "host_uuid = \"$(<"$directory/libvirt/uuid")\""; } >"$etc/libvirtd.conf"
  cp "$program/qemu.conf" "$etc/qemu.conf"
}

configure_switch() {
  local chassis=(
    external_ids:system-id=one "external_ids:hostname=\"$(uname -n)\""
    external_ids:ovn-remote=unix:/run/ovn/ovnsb_db.sock
    external_ids:ovn-encap-type=geneve external_ids:ovn-encap-ip=127.0.0.1
    external_ids:ovn-bridge-datapath-type=netdev
    external_ids:ovn-bridge-mappings=outside:br-outside
    external_ids:ovn-monitor-all=true
    other_config:n-handler-threads=1 other_config:n-revalidator-threads=1
  )
  within ovs-vsctl --no-wait -- init -- set open_vswitch . "${chassis[@]}" \
    -- --may-exist add-br br-int -- set bridge br-int datapath_type=netdev fail_mode=secure \
    other_config:disable-in-band=true \
    -- --may-exist add-br br-outside -- set bridge br-outside datapath_type=netdev fail_mode=standalone \
    -- --may-exist add-port br-outside outside-ovs
}

# Takes over the namespaces and what an earlier supervisor has started there. Daemons of another
# version are ended, to be started anew; so is pasta if it has other ports.
# $1: a process in the namespaces
adopt() {
  local key name is process start when count why before=''
  local known_boot='' known_holder='' known_birth=''
  adopted=yes
  [ -r "$runtime/status.before" ] || : >"$runtime/status.before"
  while IFS=$'\t' read -r key name is process start when count why; do
    case $key in
      boot) known_boot=$name ;;
      settings) before=$name ;;
      holder) known_holder=$name ;;
      holder_birth) known_birth=$name ;;
      daemon)
        since[$name]=$when restarts[$name]=$count reason[$name]=$why
        if [ "$known_boot" = "$boot" ] && born "$process" && [ "$REPLY" = "$start" ]; then
          pid[$name]=$process birth[$name]=$start
        fi
        ;;
    esac
  done <"$runtime/status.before"
  id=$(<"$runtime/prepared")
  if [ -n "$known_holder" ] && born "$known_holder" && [ "$REPLY" = "$known_birth" ]; then
    set_holder "$known_holder"
  else
    hold "$1"
  fi || give_up 'the namespaces are gone'
  sweep sleep
  [ "$before" != "${settings[*]}" ] || return 0
  if [ "${before%% *}" != "$version" ]; then
    within nft -f "$program/rules.nft" || give_up 'the rules for packets cannot be loaded'
    for name in "${daemons[@]}"; do
      # Guests would lose their consoles with it.
      [ "$name" = virtlogd ] || stop "$name"
    done
  fi
  stop pasta
}

# Ends a daemon, which is then started anew.
stop() {
  local deadline=$((SECONDS + 10))
  if ! runs "$1"; then return; fi
  kill "${pid[$1]}" 2>/dev/null
  while runs "$1"; do
    ((SECONDS < deadline)) || kill -KILL "${pid[$1]}" 2>/dev/null
    sleep 0.02
  done
  pid[$1]=
}

end_all() {
  local name inside deadline=$((SECONDS + 10))
  # QEMU writes what it has kept of disks.
  find_inside qemu-system-
  ((${#inside[@]} == 0)) || kill "${inside[@]}" 2>/dev/null
  while has_guests && ((SECONDS < deadline)); do sleep 0.1; done
  for name in libvirtd ovn-controller ovs-vswitchd ovn-northd ovsdb-northbound ovsdb-southbound; do
    runs "$name" && kill "${pid[$name]}" 2>/dev/null
  done
  deadline=$((SECONDS + 5))
  while { runs ovsdb-northbound || runs ovs-vswitchd; } && ((SECONDS < deadline)); do sleep 0.02; done
  for name in "${daemons[@]}"; do
    runs "$name" && kill -KILL "${pid[$name]}" 2>/dev/null
  done
  if born "${holder:-0}" && [ "$REPLY" = "$holder_birth" ]; then kill -KILL "$holder" 2>/dev/null; fi
  while find_inside && ((${#inside[@]} > 0)); do
    kill -KILL "${inside[@]}" 2>/dev/null
    sleep 0.02
  done
}

# Ends everything if no server and no guest has needed it for two rounds.
look_for_users() {
  # Somebody has removed the directory.
  if [ ! -e "$directory/host.lock" ]; then
    over=asked
    return
  fi
  if has_server || has_guests; then
    idle=0
    return
  fi
  idle=$((idle + 1))
  ((idle > 1)) || return
  # A server that is starting has this lock, and finds the host or starts it anew afterwards.
  exec 9>"$directory/start.lock"
  if flock -n 9 && ! has_server; then
    end_all
    rm -f "$runtime/status"
    over=yes
  else
    exec 9>&-
  fi
}

# A log has at most twice this size. Bytes.
LOG_MAX=4194304
trim_logs() {
  local name size
  for name in host "${daemons[@]}"; do
    log_of "$name"
    size=$(stat -c %s "$REPLY" 2>/dev/null) || continue
    ((size > LOG_MAX)) && cp "$REPLY" "$REPLY.1" && : >"$REPLY"
  done
}

look() {
  local name inside
  changed=
  if ! { born "$holder" && [ "$REPLY" = "$holder_birth" ]; }; then
    find_inside
    ((${#inside[@]} > 0)) || {
      # Guests and daemons are gone as well; the next call of a server starts everything anew.
      over=yes
      rm -f "$runtime/status"
      runs pasta && kill "${pid[pasta]}"
      return
    }
    # If that process ends as well, the next look takes another one.
    hold "${inside[0]}" || return
  fi
  for name in "${daemons[@]}"; do
    if [ -n "${pid[$name]:-}" ] && ! runs "$name"; then died "$name"; fi
    if [ -z "${pid[$name]:-}" ] && ((${due[$name]:-0} <= EPOCHSECONDS)); then start "$name"; fi
  done
  tell
}

# Seconds until the next look, if no child ends before. The shell may miss a child that ends while it
# looks.
pause() {
  local name
  REPLY=$SOON
  [ -z "$changed" ] || return
  for name in "${daemons[@]}"; do
    [ -n "${pid[$name]:-}" ] || return
  done
  REPLY=$ROUND
}

# Waits until pasta has connected the namespace, or cannot: a host without a network has no way out.
await_pasta() {
  local deadline=$((SECONDS + PATIENCE))
  until [[ $(<"/proc/$holder/net/dev") == *pasta0:* ]]; do
    runs pasta && ((SECONDS < deadline)) || return
    sleep 0.02
  done
}

# Ends daemons that no status names: a supervisor was killed after it had started them. They would
# keep others from starting. $1: another program to end
sweep() {
  local process name path inside known=" $holder ${pid[*]} "
  find_inside
  for process in "${inside[@]}"; do
    [[ $known != *" $process "* ]] || continue
    { read -r name <"/proc/$process/comm"; } 2>/dev/null || continue
    case $name in
      virtlogd)
        # Guests would lose their consoles with it.
        if ! runs virtlogd && born "$process"; then
          pid[virtlogd]=$process birth[virtlogd]=$REPLY since[virtlogd]=$EPOCHSECONDS
        else
          kill -KILL "$process" 2>/dev/null
        fi
        ;;
      ovsdb-server | ovs-vswitchd | ovn-northd | ovn-controller | libvirtd | "${1:-}")
        kill -KILL "$process" 2>/dev/null
        ;;
    esac
  done
  for path in /proc/[0-9]*; do
    process=${path#/proc/}
    { read -r -d '' name <"$path/cmdline"; } 2>/dev/null || continue
    if [ "$name" = "$runtime/pasta" ] && [[ $known != *" $process "* ]]; then
      kill -KILL "$process" 2>/dev/null
    fi
  done
}

# Starts the daemons that do not run, those first that others need.
start_all() {
  local name
  for name in virtlogd libvirtd ovsdb-northbound ovsdb-southbound ovsdb-openvswitch; do
    runs "$name" || start "$name"
  done
  await "$runtime/openvswitch/db.sock" ovsdb-openvswitch
  configure_switch || give_up 'Open vSwitch cannot be configured'
  await "$runtime/ovn/ovnnb_db.sock" ovsdb-northbound
  await "$runtime/ovn/ovnsb_db.sock" ovsdb-southbound
  for name in "${daemons[@]}"; do runs "$name" || start "$name"; done
  await "$runtime/libvirt/libvirt-sock" libvirtd
  await_pasta
  within ovs-vsctl --timeout="$PATIENCE" -- add-br starting -- del-br starting ||
    give_up 'Open vSwitch does not answer' ovs-vswitchd
}

serve() {
  local inside timer next
  exec 7>"$directory/host.lock"
  # A look at the lock holds it for a moment. A lock that is held for longer is that of another
  # supervisor, which was faster.
  flock -w "$PATIENCE" 7 || exit 0
  trap 'handed=yes' USR1
  trap 'over=asked' TERM INT
  trap '' HUP
  # For a moment also for writing: otherwise it waits for somebody who writes.
  exec 9<>"$runtime/servers" && exec 8<"$runtime/servers" 9>&- || fail 'no pipe for servers'
  cd /
  tell
  configure_libvirt || give_up 'libvirt cannot be configured'
  find_inside
  if ((${#inside[@]} > 0)); then adopt "${inside[0]}"; else make_namespaces; fi
  make_databases || give_up 'the databases of OVN cannot be opened'
  start_all
  state=ready
  look
  rm -f "$runtime/status.before"
  next=$((EPOCHSECONDS + ROUND))
  while [ -z "$over$handed" ]; do
    pause
    sleep "$REPLY" 7>&- 8>&- &
    timer=$!
    wait -n
    kill "$timer" 2>/dev/null
    wait "$timer" 2>/dev/null
    [ -z "$over$handed" ] || break
    look
    if ((EPOCHSECONDS >= next)); then
      next=$((EPOCHSECONDS + ROUND))
      look_for_users
      ((++rounds % 12)) || trim_logs
    fi
  done
  if [ "$over" = asked ]; then
    end_all
    rm -f "$runtime/status"
  fi
}

case $verb in
  begin | keep) begin ;;
  serve) serve ;;
esac
