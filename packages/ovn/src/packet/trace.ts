/** The trace of a packet by OVN itself (`ovn-trace`), and the rows that decided about it. */
import type { PacketVerdict, RealPacket } from '@steading/control-plane/ports'
import type { NorthboundTable } from '../northbound/tables.ts'
import { databaseArguments, type Remote } from '../ovsdb/remote.ts'
import { ruleOfKey } from '../vpc/firewall.ts'
import { families } from '../vpc/names.ts'
import type { FramePlace, Identity } from './frame.ts'

/** Commits to connection tracking on the longest way, all of which are to be new. */
const CONNECTIONS = 24

const conditions = {
  tcp: (port: number, source: number) => `tcp && tcp.dst == ${port} && tcp.src == ${source}`,
  udp: (port: number, source: number) => `udp && udp.dst == ${port} && udp.src == ${source}`,
  icmp: () => 'icmp4.type == 8 && icmp4.code == 0',
  icmp6: () => 'icmp6.type == 128 && icmp6.code == 0',
} as const

/** The packet as an expression of OVN (ovn-sb(5)), at a logical port. */
function microflow(
  {
    protocol,
    port,
    source,
    destination,
  }: Pick<RealPacket, 'protocol' | 'port' | 'source' | 'destination'>,
  inport: string,
  { from, to }: FramePlace,
  identity: Identity,
): string {
  const ip = families[source.includes(':') ? 'v6' : 'v4']
  return [
    `inport == "${inport}"`,
    `eth.src == ${from}`,
    `eth.dst == ${to}`,
    `${ip}.src == ${source}`,
    `${ip}.dst == ${destination}`,
    'ip.ttl == 64',
    conditions[protocol](port ?? 0, identity.port),
  ].join(' && ')
}

export const traceArguments = (
  southbound: Remote,
  ...flow: Parameters<typeof microflow>
): string[] => [
  ...databaseArguments(southbound),
  ...Array.from({ length: CONNECTIONS }, () => '--ct=new'),
  '--detailed',
  microflow(...flow),
]

interface Flow {
  stage: string
  /** The beginning of the UUID of the logical flow. */
  uuid: string
}

export interface Trace {
  flows: Flow[]
  end:
    | { type: 'dropped' }
    /** Handed to a logical port: of a guest, or of the network outside. */
    | { type: 'delivered'; outside: boolean }
    /** Nobody has answered yet who has the address; the router would ask at this port. */
    | { type: 'unresolved'; port: string }
    | { type: 'unknown' }
}

const FLOW = /^\s*\d+\. (l[rs]_(?:in|out)_\w+) \(.*, priority \d+, uuid ([0-9a-f]{8})$/
const NO_FLOW = /^\s*\d+\. (l[rs]_(?:in|out)_\w+): no match/
const DELIVERED = /^\s*\/\* output to ".*", type "(\w*)" \*\/$/
/** A rule that logs has no other word for it. */
const LOGGED_DROP = /^\s*log\((?:.*, )?verdict=drop[,)]/
const OUTPORT = /^\s*outport = "(.*)";$/
const ASKS = /^\s*(?:arp|nd_ns) \{/

/** Reads the output of `ovn-trace --detailed`. What it does not know is unknown. */
export function parseTrace(text: string): Trace {
  const flows: Flow[] = []
  let end: Trace['end'] = { type: 'unknown' }
  let port = ''
  for (const line of text.split('\n')) {
    const flow = FLOW.exec(line)
    const delivered = DELIVERED.exec(line)?.[1]
    if (flow) {
      flows.push({ stage: flow[1]!, uuid: flow[2]! })
      // Each flow leads on, until one does not.
      end = { type: 'unknown' }
    } else if (ASKS.test(line)) {
      return { flows, end: { type: 'unresolved', port } }
    } else if (delivered !== undefined) {
      // From one switch or router to the next is not the end.
      if (delivered === '') end = { type: 'delivered', outside: false }
      else if (delivered === 'localnet') end = { type: 'delivered', outside: true }
    } else if (NO_FLOW.test(line)) {
      flows.push({ stage: NO_FLOW.exec(line)![1]!, uuid: '' })
      end = { type: 'dropped' }
    } else if (line.trim() === 'drop;' || LOGGED_DROP.test(line)) {
      end = { type: 'dropped' }
    } else {
      port = OUTPORT.exec(line)?.[1] ?? port
    }
  }
  return { flows, end }
}

/** Stages in which rules decide; later ones may only carry the decision out. */
const isOfRules = (stage: string): boolean => /^ls_(in|out)_acl(_after_lb)?(_eval)?$/.test(stage)
const isOfRoutes = (stage: string): boolean => stage === 'lr_in_policy'

/** Flows that may stand for a row of ours. */
export const decidingFlows = ({ flows }: Trace): string[] => [
  ...new Set(
    flows.flatMap(({ stage, uuid }) =>
      uuid !== '' && (isOfRules(stage) || isOfRoutes(stage)) ? [uuid] : [],
    ),
  ),
]

export const hintArguments = (southbound: Remote, uuids: readonly string[]): string[] => [
  ...databaseArguments(southbound),
  '--format=json',
  '--if-exists',
  '--columns=_uuid,external_ids',
  'list',
  'Logical_Flow',
  ...uuids,
]

/** The beginnings of the UUIDs of northbound rows, by those of the flows that stand for them. */
export function parseHints(text: string): Map<string, string> {
  const { data } = JSON.parse(text) as {
    data: [uuid: ['uuid', string], ids: ['map', [string, string][]]][]
  }
  return new Map(
    data.flatMap(([[, uuid], [, ids]]) => {
      const hint = ids.find(([key]) => key === 'stage-hint')?.[1]
      return hint !== undefined && /^[0-9a-f]{8}$/.test(hint) ? [[uuid.slice(0, 8), hint]] : []
    }),
  )
}

const directionOf = (stage: string): 'inbound' | 'outbound' =>
  stage.startsWith('ls_in') ? 'outbound' : 'inbound'

/** What a row about rules decides, by its key (`vpc/firewall.ts`, `vpc/uplink.ts`). */
function ruleVerdict(stage: string, key: string, allowed: boolean): PacketVerdict | undefined {
  const rule = ruleOfKey(key)
  if (rule !== undefined) return { by: 'rule', allowed, direction: directionOf(stage), rule }
  if (/^(denied|allowed) by default$/.test(key)) {
    return { by: 'default', allowed, direction: directionOf(stage) }
  }
  if (key.startsWith('answering ') || key === 'no other sources') return { by: 'gateway', allowed }
  return key === 'no other destinations' ? { by: 'outside', allowed } : undefined
}

/** What a row about routes decides, by its key (`vpc/router.ts`). */
function routeVerdict(key: string): PacketVerdict | undefined {
  if (key.startsWith('policy without a route ')) return { by: 'no_route', allowed: false }
  const route = /^policy (.+) v[46] \d+ of /.exec(key)?.[1]
  return route === undefined ? undefined : { by: 'route', allowed: false, route }
}

/** What rules decided, the last ones first. */
function verdictOfRules(
  flows: readonly Flow[],
  allowed: boolean,
  keyOf: KeyOf,
): PacketVerdict | undefined {
  for (const { stage, uuid } of flows.toReversed()) {
    const key = isOfRules(stage) ? keyOf('ACL', uuid) : undefined
    if (key === undefined) continue
    if (key === null) return { by: 'foreign', allowed, direction: directionOf(stage) }
    const verdict = ruleVerdict(stage, key, allowed)
    if (verdict) return verdict
  }
  return undefined
}

/**
 * The key of the row that a flow stands for; null if the row is not ours, and undefined for a flow
 * of OVN's own.
 */
type KeyOf = (table: NorthboundTable, flow: string) => string | null | undefined

/** What decided about a packet; undefined if the trace does not tell. */
export function verdictOf({ flows, end }: Trace, keyOf: KeyOf): PacketVerdict | undefined {
  if (end.type === 'delivered') return verdictOfRules(flows, true, keyOf)
  if (end.type === 'unresolved') {
    // The network outside may still answer.
    return /^(cr-)?uplink-/.test(end.port) ? undefined : { by: 'nobody', allowed: false }
  }
  const last = flows.at(-1)
  if (end.type !== 'dropped' || !last) return undefined
  const { stage, uuid } = last
  if (/^ls_(in|out)_acl/.test(stage)) {
    const pipeline = flows.slice(flows.findLastIndex((flow) => !isSamePipeline(flow, last)) + 1)
    return verdictOfRules(pipeline, false, keyOf)
  }
  if (isOfRoutes(stage)) {
    const key = keyOf('Logical_Router_Policy', uuid)
    return key === null ? { by: 'foreign', allowed: false } : routeVerdict(key ?? '')
  }
  if (/^ls_in_.*port_sec/.test(stage)) return { by: 'sender', allowed: false }
  if (/^ls_out_.*port_sec/.test(stage)) return { by: 'receiver', allowed: false }
  if (/^(ls_in_l2|lr_in_arp)_/.test(stage)) return { by: 'nobody', allowed: false }
  return undefined
}

const isSamePipeline = (one: Flow, other: Flow): boolean =>
  one.stage.slice(0, 6) === other.stage.slice(0, 6)
