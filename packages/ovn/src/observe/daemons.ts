/** The daemons of OVN and Open vSwitch on a host. */
import type { NetworkDaemon, NetworkHostState } from '@steading/control-plane/ports'
import { MACHINE_BRIDGE } from '../host/host.ts'
import type { Run } from '../host/run.ts'
import type { Remote } from '../ovsdb/remote.ts'

/** Seconds after which a daemon that says nothing does not answer. */
const ANSWER_S = 3

/** By name, the beginning of the paths of its files: the process id and the control socket. */
type Daemons = readonly (readonly [name: string, path: string])[]

/** What may be elsewhere, with the databases. */
const central: Daemons = [
  ['OVN northbound database', '${OVN_RUNDIR:-/run/ovn}/ovnnb_db'],
  ['OVN southbound database', '${OVN_RUNDIR:-/run/ovn}/ovnsb_db'],
  ['ovn-northd', '${OVN_RUNDIR:-/run/ovn}/ovn-northd'],
]
const local: Daemons = [
  ['Open vSwitch database', '${OVS_RUNDIR:-/run/openvswitch}/ovsdb-server'],
  ['ovn-controller', '${OVN_RUNDIR:-/run/ovn}/ovn-controller'],
  ['ovs-vswitchd', '${OVS_RUNDIR:-/run/openvswitch}/ovs-vswitchd'],
]

/** A line for each daemon: its name, whether it answers, seconds since its start, and its version. */
const scriptFor = (daemons: Daemons): string => `
look() {
  pid=$(cat "$2.pid" 2>/dev/null)
  process=$(ps -o stat=,etimes= -p "\${pid:-0}" 2>/dev/null)
  age=\${process##* }
  case $process in Z*) age= ;; esac
  control=$2.ctl
  [ -S "$control" ] || control=$2.$pid.ctl
  if [ -z "$age" ]; then state=ended
  elif version=$(ovs-appctl --timeout=${ANSWER_S} -t "$control" version 2>/dev/null); then state=running
  else state=silent; fi
  printf '%s\\t%s\\t%s\\t%s\\n' "$1" "$state" "$age" "$(printf '%s' "$version" | head -n 1)"
  version=
}
${daemons.map(([name, path]) => `look '${name}' "${path}" &`).join('\n')}
wait
ovs-ofctl --timeout=${ANSWER_S} dump-aggregate ${MACHINE_BRIDGE} 2>/dev/null
true
`

const names = [...central, ...local].map(([name]) => name)
const states = ['running', 'silent', 'ended'] as const

/** Reads the lines of the script. */
export function parseDaemons(text: string, now: Date): NetworkHostState {
  const found = text.split('\n').flatMap((line): NetworkDaemon[] => {
    const [name = '', word, age, version = ''] = line.split('\t')
    const state = states.find((known) => known === word)
    if (!state || !names.includes(name)) return []
    return [
      {
        name,
        state,
        since: age ? new Date(now.getTime() - Number(age) * 1000) : undefined,
        version: / (\d[\w.]*)$/.exec(version)?.[1],
      },
    ]
  })
  const [, flows] = /\bflow_count=(\d+)/.exec(text) ?? []
  return {
    daemons: found.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name)),
    flows: flows === undefined ? undefined : Number(flows),
  }
}

/** @param southbound OVN's database, from which its other daemons are not far */
export async function readDaemons(run: Run, southbound: Remote): Promise<NetworkHostState> {
  const daemons = typeof southbound === 'string' ? [...central, ...local] : local
  return parseDaemons(await run('sh', '-c', scriptFor(daemons)), new Date())
}
