/** Real packets for the questions that the network model answers. */
import { ask, compile, type NetworkRows, type Question } from '@steading/network'
import type { Probe } from './endpoint.ts'
import type { Cast } from './multicast.ts'
import { PORTS, type World } from './open-world.ts'
import type { Outside, Place } from './world.ts'

type Nic = NetworkRows['interfaces'][number]

const isV6 = (address: string): boolean => address.includes(':')

/** Addresses of the network outside, of both versions. */
export const INTERNET = ['203.0.113.200', '2606:4700::1'] as const

export const OUTSIDE: Outside = {
  name: 'outside',
  addresses: [`${INTERNET[0]}/32`, `${INTERNET[1]}/128`],
  routes: ['198.51.100.0/24', '2001:db8::/64'],
}

/** The address that the guest with an external subnet has in it. */
const inSubnet = (subnet: string): string => subnet.replace(/\.0\/\d+$/, '.5')

/** Addresses in the external subnets of an interface. */
const attached = (rows: NetworkRows, nic: Nic): string[] =>
  rows.external_subnets.flatMap(({ instance_id, subnet }) =>
    nic.primary && nic.ipv4 && instance_id === nic.instance_id ? [inSubnet(subnet)] : [],
  )

/** Whether an address is in an external subnet of the same VPC: see "Differences" in README.md. */
const isOfNeighbour = (rows: NetworkRows, { vpc_id }: Nic, address: string): boolean =>
  rows.interfaces.some((nic) => nic.vpc_id === vpc_id && attached(rows, nic).includes(address))

/** Whether the guest at an address has another one as well: it takes no packets from itself. */
const isOwnedBy = (rows: NetworkRows, { vpc_id }: Nic, address: string, own: string): boolean => {
  const there = rows.interfaces.find(
    (nic) => nic.vpc_id === vpc_id && [nic.ipv4, nic.ipv6].includes(address),
  )
  return rows.interfaces.some(
    (nic) =>
      there !== undefined &&
      nic.instance_id === there.instance_id &&
      addressesAt(rows, nic).includes(own),
  )
}

/** Whether traffic stays in its subnet where a custom route could divert it: as above. */
function isBridged(rows: NetworkRows, { subnet_id }: Nic, address: string): boolean {
  const subnet = rows.subnets.find(({ id }) => id === subnet_id)!
  const isIn = rows.interfaces.some(
    (nic) => nic.subnet_id === subnet_id && [nic.ipv4, nic.ipv6, ...behind(nic)].includes(address),
  )
  return isIn && subnet.custom_router_id !== null
}

/** Networks behind instances that no subnet has, with the address of a guest in each. */
export const BEHIND = { '192.168.7.0/24': '192.168.7.9', 'fd77::/64': 'fd77::1' } as const
type Behind = keyof typeof BEHIND

/** Addresses behind an interface. */
const behind = ({ transit_ips }: Nic): string[] =>
  transit_ips.map((network) => BEHIND[network as Behind])

/** All addresses of a guest at an interface. */
const addressesAt = (rows: NetworkRows, nic: Nic): string[] => [
  ...[nic.ipv4, nic.ipv6].flatMap((own) => own ?? []),
  ...behind(nic),
  ...attached(rows, nic),
]

const single = (address: string): string => `${address}/${isV6(address) ? 128 : 32}`

/** End points for the running instances of a cloud, whose subnets have /24 and /64. */
export const placesOf = (rows: NetworkRows): Place[] =>
  rows.instances
    .filter(({ run_state }) => run_state === 'running')
    .map(({ id }) => ({
      name: id,
      interfaces: rows.interfaces
        .filter((nic) => nic.instance_id === id)
        .map((nic) => {
          const { ipv4_block, ipv6_block } = rows.subnets.find((one) => one.id === nic.subnet_id)!
          return {
            port: nic.id,
            mac: nic.mac,
            addresses: addressesAt(rows, nic).map(single),
            networks: [nic.ipv4 && ipv4_block, nic.ipv6 && ipv6_block].flatMap((one) => one || []),
            gateways: [
              nic.ipv4 && ipv4_block.replace(/\.0\/\d+$/, '.1'),
              nic.ipv6 && ipv6_block.replace(/::\/\d+$/, '::1'),
            ].flatMap((one) => one || []),
          }
        }),
    }))

export interface Trial {
  from: string
  probe: Probe
  question: Question
  /** Of the model. */
  arrives: boolean
  reachable: boolean
}

interface Source {
  address: string
  question: Pick<Question, 'from' | 'vpc'>
  destinations: readonly string[]
}

/**
 * Addresses from which a guest sends by an interface, and those that are worth a try from each.
 * What is behind an instance talks to the VPC only: see "Differences" in README.md.
 */
function sourcesOf(rows: NetworkRows, nic: Nic): Source[] {
  const inside = rows.interfaces.flatMap(({ ipv4, ipv6 }) =>
    [ipv4, ipv6].flatMap((one) => one ?? []),
  )
  const all = [
    ...inside,
    ...rows.external_ips.map(({ ip }) => ip),
    ...rows.external_subnets.map(({ subnet }) => inSubnet(subnet)),
    ...Object.values(BEHIND),
    ...INTERNET,
  ]
  const own = [nic.ipv4, nic.ipv6].flatMap((one) => one ?? [])
  const from = { type: 'instance' as const, instance: nic.instance_id, interface: nic.id }
  const isRuled = rows.firewall_rules.some(
    ({ vpc_id, filters }) =>
      vpc_id === nic.vpc_id && filters.hosts?.some(({ type }) => type === 'vpc'),
  )
  const further = nic.transit_ips.filter(
    (network) =>
      !isRuled &&
      // The model knows the sender by the address alone.
      rows.interfaces.filter(
        (one) => one.vpc_id === nic.vpc_id && one.transit_ips.includes(network),
      ).length === 1,
  )
  return [
    ...own.map((address) => ({ address, question: { from }, destinations: all })),
    ...further.map((network) => {
      const address = BEHIND[network as Behind]
      return {
        address,
        question: { from: { type: 'address' as const, address }, vpc: nic.vpc_id },
        destinations: inside,
      }
    }),
  ]
}

/** Trials from every end point to all addresses that are worth a try. */
export function trialsOf(rows: NetworkRows): Trial[] {
  const network = compile(rows)
  const trials: Trial[] = []
  const add = (from: string, source: string, destination: string, question: Question) => {
    const answer = ask(network, question)
    const { protocol, port } = question
    const id =
      `${trials.length} ${from} ${source} > ${destination} ${protocol} ${port ?? ''}`.trim()
    const probe = { id, protocol, source, destination, port: port ?? 0 }
    trials.push({ question, from, probe, arrives: answer.arrives, reachable: answer.reachable })
  }
  const traffics = [
    ...PORTS.slice(0, 3).map((port) => ({ protocol: 'tcp' as const, port })),
    { protocol: 'udp' as const, port: 80 },
    { protocol: 'icmp' as const },
  ]
  for (const nic of rows.interfaces) {
    const instance = rows.instances.find(({ id }) => id === nic.instance_id)!
    if (instance.run_state !== 'running') continue
    const local = rows.interfaces
      .filter(({ instance_id }) => instance_id === instance.id)
      .flatMap((one) => addressesAt(rows, one))
    for (const { address: source, question, destinations } of sourcesOf(rows, nic)) {
      for (const destination of new Set(destinations)) {
        if (isV6(source) !== isV6(destination) || local.includes(destination)) continue
        if (isOfNeighbour(rows, nic, destination) || isBridged(rows, nic, destination)) continue
        if (isOwnedBy(rows, nic, destination, source)) continue
        for (const traffic of traffics) {
          add(instance.id, source, destination, {
            ...question,
            to: { type: 'address', address: destination },
            ip_version: isV6(source) ? 'v6' : 'v4',
            ...traffic,
          })
        }
      }
    }
  }
  for (const source of INTERNET) {
    const known = rows.external_ips.map(({ ip }) => ip)
    for (const ip of [...known, ...rows.external_subnets.map(({ subnet }) => inSubnet(subnet))]) {
      if (isV6(ip) !== isV6(source)) continue
      for (const traffic of traffics) {
        add(OUTSIDE.name, source, ip, {
          from: { type: 'address', address: source },
          to: { type: 'address', address: ip },
          ...traffic,
        })
      }
    }
  }
  return trials
}

/** Milliseconds that only end hangs, so that the differences are named. */
const HANG_MS = 300_000

/**
 * Sends all probes, and waits until those are answered and heard that should be. The others are
 * repeated meanwhile, and those that should be answered once more, so that an answer nobody expects
 * has time to come.
 * @returns differences between what should be and the packets
 */
export async function differences(
  world: World,
  trials: readonly Trial[],
  casts: readonly Cast[],
): Promise<string[]> {
  const expected = trials.filter(({ reachable }) => reachable).map(({ probe }) => probe.id)
  const hearing = casts.flatMap(({ probe, receivers }) =>
    receivers.map((name) => `${probe.id} at ${name}`),
  )
  const sent = Map.groupBy([...trials, ...casts], ({ from }) => from)
  for (const [from, some] of sent)
    world.send(
      from,
      some.map(({ probe }) => probe),
    )
  const late = AbortSignal.timeout(HANG_MS)
  await Promise.race([
    world.until(
      () =>
        expected.every((id) => world.answered.has(id)) &&
        hearing.every((one) => world.heard.has(one)),
    ),
    new Promise((resolve) => late.addEventListener('abort', resolve)),
  ])
  for (const [from, some] of sent)
    world.forget(
      from,
      some.map(({ probe }) => probe.id),
    )
  const wrong = trials.flatMap(({ probe: { id, protocol }, arrives, reachable }) => {
    const answered = world.answered.has(id)
    if (answered !== reachable) return [`${id}: ${answered ? '' : 'not '}answered`]
    // Only datagrams say that they have arrived without an answer.
    return protocol === 'udp' && world.arrived.has(id) !== arrives && !arrives
      ? [`${id}: arrived`]
      : []
  })
  // Senders hear themselves, without any network.
  const own = casts.map(({ from, probe }) => `${probe.id} at ${from}`)
  const heard = new Set([...world.heard].filter((one) => !own.includes(one)))
  return [
    ...wrong,
    ...hearing.filter((one) => !heard.has(one)).map((one) => `${one}: not heard`),
    ...[...heard].filter((one) => !hearing.includes(one)).map((one) => `${one}: heard`),
  ]
}
