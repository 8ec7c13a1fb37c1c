/** Connections of OVN to other machines without TLS, for `doctor`. */
import { isLoopback } from '@steading/api/rules'
import type { Run } from '../host/run.ts'

/** Seconds after which a part that says nothing is left out. */
const ANSWER_S = 3

/** Addresses without TLS that lead to other machines, in OVN's words. */
export interface PlainConnections {
  /** Of the southbound database, for the controller of this host. */
  controller: string[]
  /** On which the databases of this host are open. */
  open: string[]
  /** Of this host among the members of a cluster of databases. */
  members: string[]
}

/** Parts that are not on this host say nothing. */
const SCRIPT = `
printf 'controller %s\\n' "$(ovs-vsctl --timeout=${ANSWER_S} --if-exists get open . external_ids:ovn-remote 2>/dev/null)"
for database in nb:Northbound sb:Southbound; do
  short=\${database%%:*}
  control=\${OVN_RUNDIR:-/run/ovn}/ovn\${short}_db.ctl
  [ -S "$control" ] || continue
  printf 'open %s\\n' "$(ovs-appctl --timeout=${ANSWER_S} -t "$control" ovsdb-server/list-remotes 2>/dev/null | tr '\\n' ',')"
  printf 'open %s\\n' "$(ovn-\${short}ctl --timeout=${ANSWER_S} --no-leader-only --columns=target list connection 2>/dev/null | tr '\\n' ',')"
  printf 'members %s\\n' "$(ovs-appctl --timeout=${ANSWER_S} -t "$control" cluster/status OVN_\${database#*:} 2>/dev/null | grep '^Address:')"
done
true
`

const HOST = String.raw`(\[[^\]]*\]|[\w.-]+)`
const PLAIN = [
  new RegExp(String.raw`\btcp:${HOST}:\d+`, 'g'),
  new RegExp(String.raw`\bptcp:\d+(?::${HOST})?`, 'g'),
]

/** Addresses by TCP of other machines; one without a host is open to all. */
const plainIn = (text: string): string[] =>
  PLAIN.flatMap((pattern) => [...text.matchAll(pattern)]).flatMap(([address, host]) => {
    const bare = host?.replaceAll(/[[\]]/g, '')
    return bare === 'localhost' || (bare !== undefined && isLoopback(bare)) ? [] : [address]
  })

/** Reads the lines of the script. */
export function parsePlain(text: string): PlainConnections {
  const of = (part: keyof PlainConnections): string[] => [
    ...new Set(
      text
        .split('\n')
        .filter((line) => line.startsWith(`${part} `))
        .flatMap((line) => plainIn(line.slice(part.length + 1))),
    ),
  ]
  return { controller: of('controller'), open: of('open'), members: of('members') }
}

export const plainConnections = async (run: Run): Promise<PlainConnections> =>
  parsePlain(await run('sh', '-c', SCRIPT))
