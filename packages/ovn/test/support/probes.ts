/** Real packets for the questions that the network model answers. */
import { ask, compile, type NetworkRows, type Question } from '@steading/network'
import type { Probe } from './endpoint.ts'
import { PORTS, type World } from './open-world.ts'
import type { Place } from './world.ts'

/** Addresses of the network outside, of both versions. */
export const INTERNET = ['203.0.113.200', '2606:4700::1'] as const

export const OUTSIDE: Place = {
  name: 'outside',
  port: null,
  mac: '',
  addresses: [`${INTERNET[0]}/32`, `${INTERNET[1]}/128`],
  gateways: [],
  routes: ['198.51.100.0/24', '2001:db8::/64'],
}

/** The address that the guest with an external subnet has in it. */
const inSubnet = (subnet: string): string => subnet.replace(/\.0\/\d+$/, '.5')

/** Addresses in the external subnets of an interface. */
const attached = (rows: NetworkRows, nic: NetworkRows['interfaces'][number]): string[] =>
  rows.external_subnets.flatMap(({ instance_id, subnet }) =>
    nic.primary && nic.ipv4 && instance_id === nic.instance_id ? [inSubnet(subnet)] : [],
  )

/** Whether an address is in an external subnet of the same VPC: see "Differences" in README.md. */
const isOfNeighbour = (
  rows: NetworkRows,
  { vpc_id }: NetworkRows['interfaces'][number],
  address: string,
): boolean =>
  rows.interfaces.some((nic) => nic.vpc_id === vpc_id && attached(rows, nic).includes(address))

/** Whether traffic stays in its subnet where a custom route could divert it: as above. */
function isBridged(
  rows: NetworkRows,
  { subnet_id }: NetworkRows['interfaces'][number],
  address: string,
): boolean {
  const subnet = rows.subnets.find(({ id }) => id === subnet_id)!
  const isIn = rows.interfaces.some(
    (nic) => nic.subnet_id === subnet_id && [nic.ipv4, nic.ipv6].includes(address),
  )
  return isIn && subnet.custom_router_id !== null
}

const withMasks = (row: { ipv4: string | null; ipv6: string | null }): string[] =>
  [row.ipv4 && `${row.ipv4}/24`, row.ipv6 && `${row.ipv6}/64`].flatMap((one) => one || [])

/** End points for the running instances of a cloud, whose subnets have /24 and /64. */
export const placesOf = (rows: NetworkRows): Place[] =>
  rows.interfaces.flatMap((nic) => {
    const instance = rows.instances.find(({ id }) => id === nic.instance_id)!
    const subnet = rows.subnets.find(({ id }) => id === nic.subnet_id)!
    if (instance.run_state !== 'running') return []
    return [
      {
        name: instance.id,
        port: nic.id,
        mac: nic.mac,
        addresses: [...withMasks(nic), ...attached(rows, nic).map((one) => `${one}/32`)],
        gateways: [
          nic.ipv4 && subnet.ipv4_block.replace(/\.0\/\d+$/, '.1'),
          nic.ipv6 && subnet.ipv6_block.replace(/::\/\d+$/, '::1'),
        ].flatMap((one) => one || []),
        routes: [],
      },
    ]
  })

export interface Trial {
  from: string
  probe: Probe
  question: Question
  /** Of the model. */
  arrives: boolean
  reachable: boolean
}

/** Trials from every end point to all addresses that are worth a try. */
export function trialsOf(rows: NetworkRows): Trial[] {
  const network = compile(rows)
  const destinations = [
    ...rows.interfaces.flatMap(({ ipv4, ipv6 }) => [ipv4, ipv6].flatMap((one) => one ?? [])),
    ...rows.external_ips.map(({ ip }) => ip),
    ...rows.external_subnets.map(({ subnet }) => inSubnet(subnet)),
    ...INTERNET,
  ]
  const isV6 = (address: string) => address.includes(':')
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
    for (const source of [nic.ipv4, nic.ipv6]) {
      for (const destination of new Set(destinations)) {
        if (source === null || isV6(source) !== isV6(destination)) continue
        if ([nic.ipv4, nic.ipv6, ...attached(rows, nic)].includes(destination)) continue
        if (isOfNeighbour(rows, nic, destination) || isBridged(rows, nic, destination)) continue
        for (const traffic of traffics) {
          add(instance.id, source, destination, {
            from: { type: 'instance', instance: instance.id, interface: nic.id },
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
 * Sends all probes, and waits until those are answered that the model says are. The others are
 * repeated meanwhile, and those that should be answered once more, so that an answer nobody expects
 * has time to come.
 * @returns differences between the model and the packets
 */
export async function differences(world: World, trials: readonly Trial[]): Promise<string[]> {
  const expected = trials.filter(({ reachable }) => reachable).map(({ probe }) => probe.id)
  const sent = Map.groupBy(trials, ({ from }) => from)
  for (const [from, some] of sent)
    world.send(
      from,
      some.map(({ probe }) => probe),
    )
  const late = AbortSignal.timeout(HANG_MS)
  await Promise.race([
    world.until(() => expected.every((id) => world.answered.has(id))),
    new Promise((resolve) => late.addEventListener('abort', resolve)),
  ])
  for (const [from, some] of sent)
    world.forget(
      from,
      some.map(({ probe }) => probe.id),
    )
  return trials.flatMap(({ probe: { id, protocol }, arrives, reachable }) => {
    const answered = world.answered.has(id)
    if (answered !== reachable) return [`${id}: ${answered ? '' : 'not '}answered`]
    // Only datagrams say that they have arrived without an answer.
    return protocol === 'udp' && world.arrived.has(id) !== arrives && !arrives
      ? [`${id}: arrived`]
      : []
  })
}
