/** Uplinks by FRR and lldpd, on hosts that an operator names. */
import { uplinkMessages, UPLINK_ROUTES_MAX } from '@steading/api/rules'
import { CommandError } from '@steading/commands'
import { hostShell, type HostShell } from '@steading/commands/host-shell'
import {
  type ConfiguredLink,
  type ConfiguredPeer,
  type EnginePart,
  type KnownPeer,
  type LinkNeighbor,
  type LinkStatus,
  type PeerSession,
  type SeenPort,
  TooManyRoutes,
  UplinksSilent,
  type UplinkConfiguration,
  type Uplinks,
} from '@steading/control-plane/ports'
import { applyTo, digestOf } from './apply.ts'
import { ask, lldpcli } from './ask.ts'
import { desiredHost } from './config/desired.ts'
import { interfaceOf, type UplinkHost } from './hosts.ts'
import { answerOf, DaemonError } from './json.ts'
import { LldpInterfaces } from './lldp.ts'
import { monitorsIn } from './observe/module.ts'
import { type Recent, recent } from './observe/recent.ts'
import { exportedOf, importedOf, type PeerRoute } from './observe/routes.ts'
import {
  bfdState,
  hostTime,
  type Neighbor,
  OBSERVE_MS,
  peerState,
  readStates,
  type States,
} from './observe/states.ts'
import { neighborOf } from './observe/neighbors.ts'

/** A host with what was seen of it. */
interface Watched {
  host: UplinkHost
  shell: HostShell
  states: Recent<States>
  imported: Recent<PeerRoute[]>
  neighbors: Recent<Map<string, LinkNeighbor[]>>
}

/** A host does not answer, or says something else; anything else is a fault of ours. */
const isSilence = (error: unknown): boolean =>
  error instanceof CommandError || error instanceof DaemonError

function watch(host: UplinkHost, shell: HostShell): Watched {
  return {
    host,
    shell,
    states: recent(() => readStates(shell, host)),
    imported: recent(() => importedOf(shell, host)),
    neighbors: recent(async () => {
      if (host.lldp === undefined) return new Map()
      const words = ['-f', 'json0', 'show', 'neighbors', 'details']
      const [reply] = await ask(shell, [lldpcli(host.lldp, ...words)], OBSERVE_MS)
      const heard = answerOf(reply!, LldpInterfaces, 'the list of LLDP neighbors')
      const now = new Date()
      const all = new Map<string, LinkNeighbor[]>()
      for (const one of heard) {
        all.set(one.name, [...(all.get(one.name) ?? []), neighborOf(one, now)])
      }
      return all
    }),
  }
}

/** A configured peer, with its names in the contract and in FRR. */
interface NamedPeer {
  configured: ConfiguredPeer
  known: KnownPeer
  frr: string
}

/** The answers of hosts, of which some have only said their names. */
function answersOf<T>(all: readonly (T[] | string)[]): T[] {
  const silent = all.filter((one) => typeof one === 'string')
  const found = all.flatMap((one) => (typeof one === 'string' ? [] : one))
  if (found.length === 0 && silent.length > 0)
    throw new UplinksSilent(uplinkMessages.silent(silent))
  return found
}

const routerId = (text: string | undefined): number =>
  (text ?? '0.0.0.0').split('.').reduce((value, part) => value * 256 + Number(part), 0)

/** @param shellOf the commands of a host */
export function createUplinks(
  hosts: readonly UplinkHost[],
  shellOf = (host: UplinkHost): HostShell => hostShell(host.host)!,
): Uplinks {
  const watched = hosts.map((host) => watch(host, shellOf(host)))
  const at = ({ switch: slot, port }: SeenPort): Watched | undefined =>
    watched.find(({ host }) => host.switch === slot && host.ports[port] !== undefined)

  function named(host: UplinkHost, configured: ConfiguredPeer): NamedPeer {
    const { settings, switch: slot, localAsn, port } = configured
    const { addr, vlan_id: vlan } = settings
    const device = interfaceOf(host, { port, position: configured.position }) ?? ''
    const frr = addr.type === 'numbered' ? addr.target_addr : vlan ? `${device}.${vlan}` : device
    const id = addr.type === 'numbered' ? addr.target_addr : configured.interface
    return { configured, known: { switch: slot, localAsn, id }, frr }
  }

  /** The peers of each host that answers. */
  async function ofHosts<T>(
    configured: readonly ConfiguredPeer[],
    read: (one: Watched, peers: NamedPeer[], states: States) => Promise<T[]> | T[],
  ): Promise<T[]> {
    const all = await Promise.all(
      watched.map(async (one): Promise<T[] | string> => {
        const peers = configured
          .filter((peer) => at(peer) === one)
          .map((peer) => named(one.host, peer))
        if (peers.length === 0) return []
        const states = await one.states.read()
        return states ? read(one, peers, states) : one.host.name
      }),
    )
    return answersOf(all)
  }

  function sessionOf({ configured, known, frr }: NamedPeer, states: States): PeerSession {
    const neighbor: Neighbor | undefined = states.neighbors.get(frr)
    const { addr, remote_asn } = configured.settings
    const state = neighbor ? peerState(neighbor.bgpState) : 'idle'
    const reset = neighbor?.lastResetTimerMsecs
    const since =
      state === 'established' && neighbor?.bgpTimerUpEstablishedEpoch
        ? new Date(neighbor.bgpTimerUpEstablishedEpoch * 1000)
        : reset === undefined
          ? configured.since
          : new Date(states.at.getTime() - reset)
    return {
      peer: known,
      address:
        addr.type === 'numbered'
          ? addr.target_addr
          : (neighbor?.bgpNeighborAddr ?? neighbor?.hostForeign ?? '::'),
      remoteAsn: remote_asn ?? neighbor?.remoteAs ?? 0,
      state,
      // A peer that was configured anew was not in its state before.
      since: since < configured.since ? configured.since : since,
    }
  }

  async function statusOf(link: ConfiguredLink): Promise<LinkStatus> {
    const one = at(link)
    const states = await one?.states.read()
    if (!one || !states) {
      return { state: 'unknown', since: one?.states.silentSince() ?? link.since }
    }
    const name = interfaceOf(one.host, link)
    const its = name === undefined ? undefined : states.interfaces.get(name)
    if (!its) return { state: 'down', since: link.since }
    const state = its.operationalStatus === 'up' ? 'up' : 'down'
    const text = state === 'up' ? its.lastLinkUp : its.lastLinkDown
    return { state, since: hostTime(text, states.offset) ?? link.since }
  }

  const find = (name: string): Watched => {
    const found = watched.find(({ host }) => host.name === name)
    if (!found) throw new Error(`no host of uplinks is called ${name}`)
    return found
  }
  const desired = (name: string, configuration: UplinkConfiguration) =>
    desiredHost(find(name).host, hosts, configuration)

  return {
    hosts: {
      names: hosts.map(({ name }) => name),
      silentSince: (name) => find(name).states.silentSince(),
      wanted: (name, configuration) => digestOf(desired(name, configuration)),
      async apply(name, configuration, found) {
        const { shell, host } = find(name)
        return applyTo(shell, host, desired(name, configuration), found)
      },
    },
    ports: async () =>
      hosts.flatMap(({ switch: slot, ports }) =>
        Object.keys(ports).map((port) => ({ switch: slot, port })),
      ),
    links: (configured) => Promise.all(configured.map(statusOf)),
    neighbors: (configured) =>
      Promise.all(
        configured.map(async (link) => {
          const one = at(link)
          const name = one && interfaceOf(one.host, link)
          if (!link.lldp || name === undefined) return []
          return (await one!.neighbors.read())?.get(name) ?? []
        }),
      ),
    async monitors(port) {
      const one = at(port)
      const name = one && interfaceOf(one.host, { ...port, position: 0 })
      if (!one || name === undefined) return undefined
      try {
        const words = ['ethtool', '--module-info', name]
        const [reply] = await ask(one.shell, [words], OBSERVE_MS)
        return reply!.status === 0 ? monitorsIn(reply!.output) : undefined
      } catch (error) {
        if (isSilence(error)) return undefined
        throw error
      }
    },
    peers: (configured) =>
      ofHosts(configured, (_, peers, states) => peers.map((peer) => sessionOf(peer, states))),
    exported: (configured) =>
      ofHosts(configured, async ({ shell, host }, peers, states) => {
        const up = peers.filter(({ frr }) => states.neighbors.get(frr)?.bgpState === 'Established')
        try {
          const announced = await exportedOf(
            shell,
            host,
            up.map(({ frr }) => frr),
          )
          return up.flatMap(({ known, frr }) =>
            (announced.get(frr) ?? []).map((prefix) => ({ peer: known, prefix })),
          )
        } catch (error) {
          if (isSilence(error)) return []
          throw error
        }
      }),
    imported: (configured) =>
      ofHosts(configured, async ({ host, imported }, peers, states) => {
        const count = [...states.neighbors.values()]
          .flatMap(({ addressFamilyInfo = {} }) => Object.values(addressFamilyInfo))
          .reduce((sum, { acceptedPrefixCounter = 0 }) => sum + acceptedPrefixCounter, 0)
        if (count > UPLINK_ROUTES_MAX) {
          throw new TooManyRoutes(uplinkMessages.tooManyRoutes(host.name, count))
        }
        const routes = (await imported.read()) ?? []
        return peers.flatMap(({ known, frr }) => {
          const neighbor = states.neighbors.get(frr)
          const names = [frr, neighbor?.bgpNeighborAddr, neighbor?.hostForeign]
          return routes
            .filter(({ peer }) => names.includes(peer))
            .map(({ prefix, nexthop }) => ({
              peer: known,
              id: routerId(neighbor?.remoteRouterId),
              nexthop,
              prefix,
            }))
        })
      }),
    async bfd(configured) {
      const states = await Promise.all(
        configured.map(async ({ switch: slot, peer, local, mode }) => {
          const ofSwitch = watched.filter(({ host }) => host.switch === slot)
          const all = await Promise.all(ofSwitch.map(({ states }) => states.read()))
          const session = all
            .flatMap((states) => states?.sessions ?? [])
            .find(
              (one) =>
                one.peer === peer &&
                one.multihop === (mode === 'multi_hop') &&
                (local === null || one.local === undefined || one.local === local),
            )
          if (session) return bfdState(session.status)
          // A host that does not answer may have it.
          return all.includes(undefined) || all.length === 0 ? undefined : 'down'
        }),
      )
      const silent = watched.filter(({ states: its }) => its.silentSince())
      if (states.length > 0 && states.every((state) => state === undefined) && silent.length > 0) {
        throw new UplinksSilent(uplinkMessages.silent(silent.map(({ host }) => host.name)))
      }
      return states
    },
  }
}

/** Uplinks by FRR and lldpd. */
export const frrUplinks = (hosts: readonly UplinkHost[]): EnginePart => ({
  name: 'frr',
  ports: ['uplinks'],
  open: () => ({ uplinks: createUplinks(hosts) }),
})
