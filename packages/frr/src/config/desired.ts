/** What a host is to have, by the configuration of all uplinks: a function without side effects. */
import {
  announcedPrefix,
  contains,
  formatAddress,
  formatNetwork,
  type IpVersion,
  networkAddress,
  parseAddress,
  parseNetwork,
} from '@steading/api/rules'
import type {
  ConfiguredBfd,
  ConfiguredPeer,
  LldpTexts,
  RoutePolicy,
  UplinkConfiguration,
} from '@steading/control-plane/ports'
import { interfaceOf, type UplinkHost } from '../hosts.ts'
import { communitiesText } from './communities.ts'
import { BGP_MARK, INTERFACE_MARK, interfaceHead, LOOPBACK, MARK, ROUTE_TAG } from './marks.ts'
import { type Section, sectionWith } from './sections.ts'

/** What an interface of the host is to have besides FRR's configuration. */
export interface DesiredInterface {
  name: string
  mtu: number
  lldp: boolean
  lldpTexts: LldpTexts
}

export interface DesiredHost {
  bgp: Section[]
  bfd: Section[]
  /** Addresses that belong to no port. */
  loopback: Section[]
  /** Everything else of FRR's configuration. */
  rest: Section[]
  interfaces: DesiredInterface[]
  /** What the host cannot have and is left out, in sentences without a full stop. */
  problems: string[]
}

/** The words of a part that cannot be had; caught, because the others can. */
class Unable extends Error {}
const unable = (reason: string): never => {
  throw new Unable(reason)
}

/** Bytes of packets that FRR's neighbours can agree on. */
const MTU_MIN = 1280
const MTU_MAX = 65_535
/** Between router advertisements, by which unnumbered peers find each other. */
const RA_SECONDS = 10
/** Longest name of an interface. */
const INTERFACE_MAX = 15
const VERSIONS = ['v4', 'v6'] as const
const ipOf: Record<IpVersion, string> = { v4: 'ip', v6: 'ipv6' }
const familyOf: Record<IpVersion, string> = { v4: 'ipv4 unicast', v6: 'ipv6 unicast' }

/** Text in FRR's spelling, of which nothing is left that is no address. */
function address(text: string): { text: string; version: IpVersion } {
  const parsed = parseAddress(text) ?? unable(`${JSON.stringify(text)} is no address`)
  return { text: formatAddress(parsed), version: parsed.version }
}
function network(text: string): { text: string; version: IpVersion } {
  const parsed = parseNetwork(text) ?? unable(`${JSON.stringify(text)} is no network`)
  return { text: formatNetwork(parsed), version: parsed.version }
}
/** A network without host bits, as routes have it. */
const prefix = (text: string): string => announcedPrefix(network(text).text)
function whole(value: number, least: number, most: number, what: string): number {
  return Number.isInteger(value) && value >= least && value <= most
    ? value
    : unable(`${what} must be from ${least} to ${most}, and is ${value}`)
}

/** The interface for a part of port settings, with its VLAN. */
function deviceOf(
  host: UplinkHost,
  links: ReadonlyMap<string, string>,
  { port, link, vlan }: { port: string; link: string; vlan: number | null },
): string {
  const base =
    links.get(`${port} ${link}`) ??
    // Port settings may name interfaces that are no links; they belong to the first.
    interfaceOf(host, { port, position: 0 }) ??
    unable(`port ${port} has no interface`)
  if (vlan === null) return base
  const name = `${base}.${whole(vlan, 1, 4094, 'a VLAN')}`
  return name.length <= INTERFACE_MAX ? name : unable(`${name} is too long for an interface`)
}

/** The networks of both versions that a policy lets pass; undefined if it lets all pass. */
const allowed = (policy: RoutePolicy): string[] | undefined =>
  policy.type === 'allow' ? policy.value.map(prefix) : undefined

/**
 * A map that lets networks pass.
 * @param passing undefined for all
 * @param set further lines of what passes
 */
function routeMap(name: string, passing: readonly string[] | undefined, set: string[]): Section[] {
  const permit = (number: number, match: string[]): Section => ({
    head: `route-map ${name} permit ${number}`,
    body: [...match, ...set].map((line) => ` ${line}`),
    end: 'exit',
  })
  if (!passing) return [permit(10, [])]
  const networks = passing.map(network)
  const sections = VERSIONS.flatMap((version, at) => {
    const its = [
      ...new Set(networks.filter((one) => one.version === version).map((one) => one.text)),
    ]
    if (its.length === 0) return []
    const list = `${name}-${version}`
    return [
      ...its.map((text, index): Section => ({
        head: `${ipOf[version]} prefix-list ${list} seq ${(index + 1) * 5} permit ${text}`,
        body: [],
      })),
      permit((at + 1) * 10, [`match ${ipOf[version]} address prefix-list ${list}`]),
    ]
  })
  return sections.length > 0
    ? sections
    : [{ head: `route-map ${name} deny 10`, body: [], end: 'exit' }]
}

/** Keys are words of a line, and neither a comment nor empty. */
const key = (text: string): string =>
  /^(?![!#])[\x21-\x7e]+$/.test(text)
    ? text
    : unable('its MD5 key has a space, or begins with ! or #, which FRR does not take')

interface DesiredPeer {
  lines: string[]
  /** Lines of each family of addresses that is exchanged. */
  families: Partial<Record<IpVersion, string[]>>
  networks: string[]
  maps: Section[]
}

/** A peer, with the name of the BFD profile of its address, if it has one. */
function peerOf(
  { settings, networks, vrf }: ConfiguredPeer,
  device: string,
  profiles: ReadonlyMap<string, string>,
): DesiredPeer {
  if (vrf !== null) unable(`VRF ${vrf} is not possible`)
  const { addr } = settings
  const id = addr.type === 'numbered' ? address(addr.target_addr) : undefined
  const name = id?.text ?? device
  const remote =
    settings.remote_asn === null || settings.remote_asn === undefined
      ? 'external'
      : whole(settings.remote_asn, 1, 0xffff_ffff, 'its ASN')
  const source = addr.type === 'numbered' && addr.src_addr ? address(addr.src_addr).text : undefined
  const profile = id && profiles.get(id.text)
  const hold = settings.hold_time
  if (hold === 1 || hold === 2) unable('its hold time must be 0 or at least 3 seconds')
  const keepalive = whole(settings.keepalive, 0, 65_535, 'its keepalive time')
  whole(hold, 0, 65_535, 'its hold time')
  const retry = whole(Math.max(1, settings.connect_retry), 1, 65_535, 'its time between attempts')
  const delay = whole(settings.delay_open, 0, 240, 'its delay of opens')
  const ttl = settings.min_ttl ?? 0
  const of = (line: string) => ` neighbor ${name} ${line}`
  const lines = [
    of(id ? `remote-as ${remote}` : `interface remote-as ${remote}`),
    ...(profile === undefined ? [] : [of('bfd'), of(`bfd profile ${profile}`)]),
    ...(settings.md5_auth_key ? [of(`password ${key(settings.md5_auth_key)}`)] : []),
    ...(settings.enforce_first_as ? [of('enforce-first-as')] : []),
    ...(source === undefined ? [] : [of(`update-source ${source}`)]),
    of(`timers ${keepalive} ${hold}`),
    of(`timers connect ${retry}`),
    ...(delay > 0 ? [of(`timers delayopen ${delay}`)] : []),
    ...(ttl > 1 ? [of(`ttl-security hops ${256 - ttl}`)] : []),
  ]
  const versions = id ? [id.version] : VERSIONS
  const [incoming, outgoing] = [`${MARK}-in-${name}`, `${MARK}-out-${name}`]
  const out = allowed(settings.allowed_export)
  const announced = networks.filter((one) => out?.includes(one) ?? true)
  const { local_pref: preference, multi_exit_discriminator: metric } = settings
  return {
    lines,
    families: Object.fromEntries(
      versions.map((version) => [
        version,
        [
          `  neighbor ${name} activate`,
          `  neighbor ${name} route-map ${incoming} in`,
          `  neighbor ${name} route-map ${outgoing} out`,
        ],
      ]),
    ),
    networks: announced,
    maps: [
      ...routeMap(
        incoming,
        allowed(settings.allowed_import),
        typeof preference === 'number' ? [`set local-preference ${preference}`] : [],
      ),
      // What was imported is never passed on.
      ...routeMap(outgoing, announced, [
        ...(settings.communities.length > 0
          ? [`set community ${communitiesText(settings.communities)}`]
          : []),
        ...(typeof metric === 'number' ? [`set metric ${metric}`] : []),
      ]),
    ],
  }
}

/** The instance of BGP of a host. */
function bgpOf(asn: number, maxPaths: number, peers: readonly DesiredPeer[]): Section {
  const networks = new Map(
    peers.flatMap((peer) => peer.networks.map(network)).map((one) => [one.text, one.version]),
  )
  const family = (version: IpVersion): string[] => {
    const its = peers.flatMap((peer) => peer.families[version] ?? [])
    if (its.length === 0) return []
    const announced = [...networks].filter(([, one]) => one === version)
    return [
      ` address-family ${familyOf[version]}`,
      ...announced.map(([text]) => `  network ${text}`),
      ...its,
      `  maximum-paths ${maxPaths}`,
      ' exit-address-family',
    ]
  }
  return {
    head: `router bgp ${asn}`,
    body: [
      // Each peer has policies; addresses of pools need no route of this host.
      ' no bgp ebgp-requires-policy',
      ' no bgp default ipv4-unicast',
      ' no bgp network import-check',
      BGP_MARK,
      ...peers.flatMap(({ lines }) => lines),
      ...VERSIONS.flatMap(family),
    ],
    end: 'exit',
  }
}

/** Milliseconds; FRR knows no shorter and no longer ones. */
const BFD_MIN_MS = 10
const BFD_MAX_MS = 60_000
/** What FRR does not write, because it is its default. */
const BFD_THRESHOLD = 3
const BFD_INTERVAL_MS = 300

interface DesiredBfd {
  peer: string
  profileName: string
  profile: Section
  session: Section
}

function bfdOf(
  { peer, local, threshold, requiredRx, mode }: ConfiguredBfd,
  device: string | undefined,
): DesiredBfd {
  const multiplier = whole(threshold, 2, 255, 'its detection threshold')
  const ms = Math.ceil(requiredRx / 1000)
  if (requiredRx < BFD_MIN_MS * 1000 || ms > BFD_MAX_MS) {
    unable(`its interval must be from ${BFD_MIN_MS} to ${BFD_MAX_MS} ms`)
  }
  const isFar = mode === 'multi_hop'
  if (isFar && local === null) unable('a session over several hops needs its local address')
  if (!isFar && device === undefined) unable('no link of the host has an address in its network')
  const id = address(peer).text
  const name = `${MARK}-${multiplier}-${ms}${isFar ? '-far' : ''}`
  const words = [
    `peer ${id}`,
    ...(isFar ? ['multihop'] : []),
    ...(local === null ? [] : [`local-address ${address(local).text}`]),
    ...(isFar ? [] : [`interface ${device}`]),
  ]
  return {
    peer: id,
    profileName: name,
    profile: {
      head: `profile ${name}`,
      body: [
        ...(multiplier === BFD_THRESHOLD ? [] : [` detect-multiplier ${multiplier}`]),
        ...(ms === BFD_INTERVAL_MS ? [] : [` transmit-interval ${ms}`, ` receive-interval ${ms}`]),
        // Routers in between count down.
        ...(isFar ? [' minimum-ttl 1'] : []),
      ],
      end: 'exit',
    },
    session: { head: words.join(' '), body: [` profile ${name}`], end: 'exit' },
  }
}

interface LocalAddress {
  device: string
  text: string
}

/** The interface through which an address is reached, by the addresses of the host. */
function deviceTowards(remote: string, addresses: readonly LocalAddress[]): string | undefined {
  const parsed = parseAddress(remote)
  return (
    parsed &&
    addresses.find(({ text }) => {
      const its = parseNetwork(text)!
      return its.version === parsed.version && contains(networkAddress(its), parsed)
    })?.device
  )
}

const isOf =
  (host: UplinkHost) =>
  (one: { switch: string; port: string }): boolean =>
    one.switch === host.switch && host.ports[one.port] !== undefined

/** The addresses of a host that are known before anything of it is checked. */
const plainAddresses = (host: UplinkHost, { addresses }: UplinkConfiguration): string[] =>
  addresses.filter(isOf(host)).map(({ address: text }) => text)

/** Whether a host has the local address of a session, or a link in the network of its peer. */
const reaches = (host: UplinkHost, { peer, local }: ConfiguredBfd, all: UplinkConfiguration) => {
  const texts = plainAddresses(host, all)
  return local === null
    ? deviceTowards(
        peer,
        texts.map((text) => ({ device: '', text })),
      ) !== undefined
    : texts.some((text) => text.split('/')[0] === local)
}

/**
 * What a host is to have of all uplinks.
 * @param hosts all of them: what belongs to a switch, and to no port, belongs to one of its hosts
 */
export function desiredHost(
  host: UplinkHost,
  hosts: readonly UplinkHost[],
  all: UplinkConfiguration,
): DesiredHost {
  const problems: string[] = []
  const ofSwitch = hosts.filter((one) => one.switch === host.switch)
  const isFirst = ofSwitch[0] === host
  const isHere = isOf(host)
  /** The part, or undefined after noting why it is left out. */
  const trying = <T>(what: string, make: () => T): T | undefined => {
    try {
      return make()
    } catch (error) {
      if (!(error instanceof Unable)) throw error
      problems.push(`${what} is left out: ${error.message}`)
      return undefined
    }
  }
  const links = new Map<string, string>()
  const interfaces = all.links.filter(isHere).flatMap((link): DesiredInterface[] => {
    const made = trying(`link ${link.link} of ${link.port}`, () => {
      const name =
        interfaceOf(host, link) ?? unable(`port ${link.port} has fewer interfaces than links`)
      links.set(`${link.port} ${link.link}`, name)
      const mtu = whole(link.mtu, MTU_MIN, MTU_MAX, 'its MTU')
      if (link.lldp && host.lldp === undefined) {
        problems.push(`LLDP of ${link.port} is left out: no socket of lldpd is named`)
      }
      return { name, mtu, lldp: link.lldp, lldpTexts: link.lldpTexts }
    })
    return made ? [made] : []
  })

  const addresses = all.addresses.filter(isHere).flatMap((one): LocalAddress[] => {
    const made = trying(`address ${one.address}`, () => ({
      device: deviceOf(host, links, one),
      text: network(one.address).text,
    }))
    return made ? [made] : []
  })
  const loopbacks = all.loopbacks
    // One host of a switch has it, or all.
    .filter((one) => one.switch === host.switch && (one.anycast || isFirst))
    .flatMap((one): string[] => {
      const text = trying(`address ${one.address}`, () => network(one.address).text)
      return text === undefined ? [] : [text]
    })
  const addressLine = (text: string): string => ` ${ipOf[network(text).version]} address ${text}`

  const routes = all.routes.filter(isHere).flatMap((route): string[] => {
    const line = trying(`route ${route.destination}`, () => {
      const to = network(prefix(route.destination))
      const by = address(route.gateway)
      if (to.version !== by.version) {
        unable('its gateway is of the other version of IP')
      }
      const device = deviceOf(host, links, route)
      const distance = whole(route.priority ?? 1, 1, 255, 'its priority')
      const last = distance === 1 ? '' : ` ${distance}`
      return `${ipOf[to.version]} route ${to.text} ${by.text} ${device} tag ${ROUTE_TAG}${last}`
    })
    return line === undefined ? [] : [line]
  })

  const own = [...addresses, ...loopbacks.map((text): LocalAddress => ({ device: LOOPBACK, text }))]
  const bfd = all.bfd
    .filter((one) => one.switch === host.switch)
    // One of the hosts of a switch has it; if it cannot be told which, the first.
    .filter((one) => (ofSwitch.find((its) => reaches(its, one, all)) ?? ofSwitch[0]) === host)
    .flatMap((one): DesiredBfd[] => {
      const made = trying(`BFD session ${one.peer}`, () => {
        if (one.local !== null && !own.some(({ text }) => text.split('/')[0] === one.local)) {
          unable(`the host does not have the address ${one.local}`)
        }
        return bfdOf(one, deviceTowards(one.peer, addresses))
      })
      return made ? [made] : []
    })
  const profiles = new Map(
    bfd
      .filter(({ profileName }) => !profileName.endsWith('-far'))
      .map((one) => [one.peer, one.profileName]),
  )

  const configured = all.peers.filter(isHere)
  const unnumbered = new Map<string, number>()
  const peers = configured.flatMap((one): DesiredPeer[] => {
    const { addr, vlan_id: vlan = null } = one.settings
    const what = addr.type === 'numbered' ? addr.target_addr : one.interface
    const made = trying(`BGP peer ${what}`, () => {
      const device = deviceOf(host, links, { ...one, vlan })
      const peer = peerOf(one, device, profiles)
      if (addr.type === 'unnumbered') {
        const lifetime = addr.router_lifetime
        if (lifetime > 0 && lifetime < RA_SECONDS) {
          unable(`its router lifetime must be 0 or at least ${RA_SECONDS} seconds`)
        }
        unnumbered.set(device, lifetime)
      }
      return peer
    })
    return made ? [made] : []
  })
  const [first] = configured

  const named = [
    ...new Set([
      ...interfaces.map(({ name }) => name),
      ...addresses.map((one) => one.device),
      ...unnumbered.keys(),
    ]),
  ]
  const interfaceSection = (name: string): Section => {
    const lifetime = unnumbered.get(name)
    return {
      head: interfaceHead(name),
      body: [
        INTERFACE_MARK,
        ...addresses.filter((one) => one.device === name).map(({ text }) => addressLine(text)),
        ...(lifetime === undefined
          ? []
          : [
              ` ipv6 nd ra-interval ${RA_SECONDS}`,
              ` ipv6 nd ra-lifetime ${lifetime}`,
              ' no ipv6 nd suppress-ra',
            ]),
      ],
      end: 'exit',
    }
  }
  const seen = new Set<string>()
  const bfdParts = bfd.flatMap(({ profile }) =>
    seen.has(profile.head) ? [] : (seen.add(profile.head), [profile]),
  )
  return {
    bgp:
      first && peers.length > 0
        ? [...peers.flatMap(({ maps }) => maps), bgpOf(first.localAsn, first.maxPaths, peers)]
        : [],
    bfd:
      bfd.length > 0
        ? [sectionWith('bfd', [...bfdParts, ...bfd.map(({ session }) => session)])]
        : [],
    loopback:
      loopbacks.length > 0
        ? [
            {
              head: interfaceHead(LOOPBACK),
              body: [INTERFACE_MARK, ...loopbacks.map(addressLine)],
              end: 'exit',
            },
          ]
        : [],
    rest: [...routes.map((head): Section => ({ head, body: [] })), ...named.map(interfaceSection)],
    interfaces,
    problems,
  }
}
