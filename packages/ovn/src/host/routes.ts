/** The routes of a host to the external addresses of VPCs. */
import { createHash } from 'node:crypto'
import { parseNetwork } from '@steading/api/rules'
import type { HostRoute } from '../vpc/uplink.ts'
import { UPLINK_DEVICE } from './host.ts'
import type { Run } from './run.ts'

/** Marks our routes (`/etc/iproute2/rt_protos`: no other program has this number). */
const PROTOCOL = '83'
/** Place of our rules, before that of the main table. */
const PRIORITY = '8300'

/** As `ip -json route` prints it; `via` is the next hop of the other version. */
interface PresentRoute {
  dst: string
  via?: { host: string }
  gateway?: string
}

/** As `ip -json rule` prints it. */
interface PresentRule {
  priority: number
  dst: string
  ipproto: string
  dport_start?: number
  dport_end?: number
  table: string
}

/** A shared address has routes by its ports, each in the table of a VPC. */
const tableOf = (via: string): string =>
  String(2 ** 31 + (createHash('sha256').update(via).digest().readUInt32BE(0) >>> 1))

const familyOf = (destination: string): '-4' | '-6' => (destination.includes(':') ? '-6' : '-4')
const families = ['-4', '-6'] as const
type Family = (typeof families)[number]

/** A network without the length that a single address has. */
const written = (network: string): string => {
  const parsed = parseNetwork(network)
  const isSingle = parsed && parsed.width === (parsed.version === 'v4' ? 32 : 128)
  return isSingle ? network.split('/')[0]! : network
}

/** Protocols with ports. The identifier of an echo request is not one of them. */
const protocols = ['tcp', 'udp'] as const

const ruleArguments = (
  destination: string,
  [first, last]: readonly [number, number],
  protocol: string,
  table: string,
): string[] =>
  `to ${destination} ipproto ${protocol} dport ${first}-${last} lookup ${table}`.split(' ')

/** Makes the present lines the wanted ones: first removes, then adds. */
async function level(
  present: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
  change: (action: 'add' | 'del', line: string) => Promise<unknown>,
): Promise<void> {
  for (const line of present) if (!wanted.has(line)) await change('del', line)
  for (const line of wanted) if (!present.has(line)) await change('add', line)
}

/**
 * Makes the routes by way of one router what they should be.
 * @param via the router: its link-local address at the uplink
 */
export async function applyRoutes(
  run: Run,
  via: string,
  routes: readonly HostRoute[],
): Promise<void> {
  const table = tableOf(via)
  for (const family of families) {
    const own = routes.filter(({ destination }) => familyOf(destination) === family)
    await applyPlain(run, family, via, own)
    await applyShared(run, family, via, table, own)
  }
}

/** The way to a router, in the words of `ip route`. */
const wayTo = (family: Family, via: string): string[] => [
  ...(family === '-4' ? ['via', 'inet6', via] : ['via', via]),
  'dev',
  UPLINK_DEVICE,
]

async function applyPlain(
  run: Run,
  family: Family,
  via: string,
  routes: readonly HostRoute[],
): Promise<void> {
  const listed = await run('ip', '-json', family, 'route', 'show', 'proto', PROTOCOL)
  const present = JSON.parse(listed || '[]') as PresentRoute[]
  const way = [...wayTo(family, via), 'proto', PROTOCOL]
  await level(
    new Set(present.filter((one) => (one.via?.host ?? one.gateway) === via).map(({ dst }) => dst)),
    new Set(routes.filter(({ ports }) => !ports).map(({ destination }) => written(destination))),
    // An address that moves between VPCs may still lead to the other one.
    (action, destination) =>
      run('ip', family, 'route', action === 'add' ? 'replace' : 'del', destination, ...way),
  )
}

async function applyShared(
  run: Run,
  family: Family,
  via: string,
  table: string,
  routes: readonly HostRoute[],
): Promise<void> {
  const listed = await run('ip', '-json', family, 'rule', 'show', 'priority', PRIORITY)
  const rules = JSON.parse(listed || '[]') as PresentRule[]
  const present = rules.flatMap((rule) =>
    rule.table === table && rule.dport_start !== undefined && rule.dport_end !== undefined
      ? ruleArguments(rule.dst, [rule.dport_start, rule.dport_end], rule.ipproto, table).join(' ')
      : [],
  )
  const wanted = routes.flatMap(({ destination, ports }) =>
    ports
      ? protocols.map((protocol) =>
          ruleArguments(written(destination), ports, protocol, table).join(' '),
        )
      : [],
  )
  if (wanted.length > 0) {
    const way = wayTo(family, via)
    await run('ip', family, 'route', 'replace', 'default', ...way, 'table', table)
  }
  await level(new Set(present), new Set(wanted), (action, line) =>
    run('ip', family, 'rule', action, 'priority', PRIORITY, ...line.split(' ')),
  )
  if (wanted.length === 0 && present.length > 0) {
    await run('ip', family, 'route', 'flush', 'table', table)
  }
}
