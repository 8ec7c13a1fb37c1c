/** The last denied packets, from the log of OVN's controller. */
import type { DeniedPackets, ObservedInterface } from '@steading/control-plane/ports'
import type { Run } from '../host/run.ts'
import type { Decision } from '../northbound/northbound.ts'
import { otherwiseKeys, ruleOfKey } from '../vpc/firewall.ts'
import { aclName, aclPrefix } from '../vpc/names.ts'

/** Bytes of the end of a log in which packets of a VPC are looked for: those of a day of the VPC. */
const SEARCHED_BYTES = 32 * 2 ** 20
/** Bytes of lines about a VPC that are read: some 700 packets. */
const READ_BYTES = 256 * 2 ** 10
/** Different packets of one answer. */
const PACKETS_MAX = 50
/** Whoever asks within this time gets the same answer. Milliseconds. */
const FRESH_MS = 2_000

/** A packet as the log has it. */
export interface LoggedPacket {
  time: Date
  /** Of the access control list. */
  name: string
  direction: 'inbound' | 'outbound'
  protocol: DeniedPackets['protocol']
  /** MAC address of the interface of the instance. */
  mac: string
  source: string
  destination: string
  port?: number
  icmpType?: number
}

const line =
  /^(\d{4}-\d\d-\d\dT[\d:.]+Z)\|\d+\|acl_log\([^)]*\)\|[A-Z]+\|name="([^"]+)", verdict=drop, severity=\w+, direction=(to|from)-lport: (\w+),(.+)$/

/** Protocols by the words of Open vSwitch. */
const protocols: Readonly<Record<string, DeniedPackets['protocol']>> = {
  tcp: 'tcp',
  tcp6: 'tcp',
  udp: 'udp',
  udp6: 'udp',
  icmp: 'icmp',
  icmp6: 'icmp6',
}

function packetOf(text: string): LoggedPacket | undefined {
  const [, time, name, way, word, list] = line.exec(text) ?? []
  if (list === undefined) return undefined
  const fields = new Map(list.split(',').map((field) => field.split('=') as [string, string]))
  const source = fields.get('nw_src') ?? fields.get('ipv6_src')
  const destination = fields.get('nw_dst') ?? fields.get('ipv6_dst')
  const mac = fields.get(way === 'to' ? 'dl_dst' : 'dl_src')
  if (source === undefined || destination === undefined || mac === undefined) return undefined
  const protocol = protocols[word!] ?? 'other'
  // Only the first fragment of a packet has them.
  const isWhole = (fields.get('nw_frag') ?? 'no') === 'no'
  const hasPorts = isWhole && (protocol === 'tcp' || protocol === 'udp')
  const hasType = isWhole && (protocol === 'icmp' || protocol === 'icmp6')
  return {
    time: new Date(time!),
    name: name!,
    direction: way === 'to' ? 'inbound' : 'outbound',
    protocol,
    mac,
    source,
    destination,
    ...(hasPorts && { port: Number(fields.get('tp_dst')) }),
    ...(hasType && { icmpType: Number(fields.get('icmp_type')) }),
  }
}

/** Reads the lines of a log that are about denied packets. */
export const parseLog = (text: string): LoggedPacket[] =>
  text.split('\n').flatMap((one) => packetOf(one) ?? [])

/** The log, and before it the part that was set aside when it became too long. */
const script = `
test -r "$0" || exit 1
{ tail -c ${SEARCHED_BYTES} "$0.1" 2>/dev/null; tail -c ${SEARCHED_BYTES} "$0"; } |
  grep -F "|INFO|name=\\"$1" | tail -c ${READ_BYTES}
`

interface LogOptions {
  run: Run
  /** Path of the log on the host. */
  path: string
  decisions: () => Promise<readonly Decision[]>
}

/**
 * Like packets are one, with their number.
 * @param packets the latest first
 */
function gather(
  packets: readonly LoggedPacket[],
  interfaceOf: (packet: LoggedPacket) => ObservedInterface | undefined,
  byOf: (packet: LoggedPacket, at: ObservedInterface) => DeniedPackets['by'],
): DeniedPackets[] {
  const gathered = new Map<string, DeniedPackets>()
  for (const packet of packets) {
    const at = interfaceOf(packet)
    if (!at) continue
    const { time, mac: _mac, ...alike } = packet
    const key = JSON.stringify(alike)
    const known = gathered.get(key)
    if (known) {
      known.packets++
      known.first = time
    } else if (gathered.size < PACKETS_MAX) {
      const { name: _name, ...facts } = alike
      gathered.set(key, {
        ...facts,
        interfaceId: at.id,
        first: time,
        last: time,
        packets: 1,
        by: byOf(packet, at),
      })
    }
  }
  return [...gathered.values()]
}

export function createDeniedPackets({ run, path, decisions }: LogOptions) {
  /** By VPC, so that nobody's packets push those of others out. */
  const reads = new Map<string, { at: number; packets: Promise<LoggedPacket[]> }>()

  function packetsOf(vpcId: string): Promise<LoggedPacket[]> {
    const now = performance.now()
    for (const [id, { at }] of reads) if (now - at > FRESH_MS) reads.delete(id)
    const known = reads.get(vpcId)
    if (known) return known.packets
    const packets = run('sh', '-c', script, path, aclPrefix(vpcId)).then(parseLog)
    reads.set(vpcId, { at: now, packets })
    return packets
  }

  return async (interfaces: readonly ObservedInterface[]): Promise<DeniedPackets[]> => {
    const vpcIds = [...new Set(interfaces.map(({ vpcId }) => vpcId))]
    const packets = (await Promise.all(vpcIds.map(packetsOf))).flat()
    const byMac = Map.groupBy(interfaces, ({ mac }) => mac.toLowerCase())
    const keys = new Map((await decisions()).map(({ name, key }) => [name, key]))
    return gather(
      packets.toSorted((a, b) => Number(b.time) - Number(a.time)),
      ({ mac, name }) => byMac.get(mac)?.find(({ vpcId }) => name.startsWith(aclPrefix(vpcId))),
      ({ name }, { vpcId }) => {
        if (name === aclName(vpcId, otherwiseKeys.inbound)) return 'default'
        const rule = ruleOfKey(keys.get(name) ?? '')
        return rule === undefined ? undefined : { rule }
      },
    )
  }
}
