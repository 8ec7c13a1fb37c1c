/**
 * Ports of the simulated rack and the routers at their other ends. Each configured link and peer
 * comes up after a while, and the peer announces the default route. A router that is down does not
 * respond, and neither does anything at a port whose cable was unplugged. All of it derives from
 * the configuration, the outages, and the time, so every server reports the same.
 */
import {
  announcedPrefix,
  type BfdState,
  type BgpPeerState,
  formatAddress,
  ipVersion,
  parseAddress,
  type SwitchSlot,
  switchSlots,
} from '@steading/api/rules'
import type { OpenDatabase } from '@steading/control-plane/engine'
import type {
  BgpMessage,
  ConfiguredBfd,
  ConfiguredLink,
  ConfiguredPeer,
  KnownPeer,
  LinkStatus,
  PeerMessages,
  RoutePolicy,
  Uplinks,
} from '@steading/control-plane/ports'
import type { SimulatedOptions } from './options.ts'
import './tables.ts'

export interface SimulatedUplinks extends Uplinks {
  messages: NonNullable<Uplinks['messages']>
  bfd: (configured: readonly ConfiguredBfd[]) => Promise<BfdState[]>
  /**
   * Fails or repairs a router, as seen by one switch, or the cable of a port.
   * @param end address of the router, or name of the port
   */
  takeDown: (slot: SwitchSlot, end: string) => Promise<void>
  /** Current outages. */
  down: () => Promise<{ slot: SwitchSlot; end: string }[]>
  bringUp: (slot: SwitchSlot, end: string) => Promise<void>
}

/** Ports of each switch. */
const SWITCH_PORTS = 32
/** Default ASN of simulated routers: the first private one. */
const REMOTE_ASN = 64_512
/** Keepalives of a session to keep. */
const KEPT_KEEPALIVES = 8
/** Ends a session when nothing has been received for the hold time (RFC 4271, 4.5). */
const HOLD_TIMER_EXPIRED = { error_code: 4, error_subcode: 0 }

/** Session states while coming up, each for an equal part of the time. */
const comingUp = ['idle', 'connect', 'open_sent', 'open_confirm'] as const satisfies BgpPeerState[]

/** LLDP interval of a link's neighbor in milliseconds. */
const LLDP_INTERVAL_MS = 30_000

/** Time of the last failure of a router or a cable, and of its repair. */
interface Outage {
  since: Date
  until: Date | undefined
}

/** A number derived from a text, for the ids of routers without an IPv4 address. */
function digest(text: string): number {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) {
    value = Math.imul(value ^ byte, 0x01000193) >>> 0
  }
  return value
}

/** A configured peer with the data of its router. */
interface Router {
  configured: ConfiguredPeer
  known: KnownPeer
  address: string
  remoteAsn: number
  /** BGP identifiers of the router and of the switch. */
  ids: { remote: number; local: number }
  /** Address of the switch in the session. */
  source: string
}

const idOf = (address: string): number =>
  ipVersion(address) === 'v4' ? Number(parseAddress(address)!.value) : digest(address)

/** Link-local address of a router discovered on its link, derived from the link's name. */
const linkLocal = (link: string): string =>
  formatAddress({ version: 'v6', value: (0xfe80n << 112n) | BigInt(digest(link)) })

function routerOf(configured: ConfiguredPeer): Router {
  const { switch: slot, interface: link, localAsn, settings } = configured
  const { addr } = settings
  const isNumbered = addr.type === 'numbered'
  const address = isNumbered ? addr.target_addr : linkLocal(`${slot} ${link}`)
  const source = (isNumbered && addr.src_addr) || linkLocal(`${link} ${slot}`)
  return {
    configured,
    known: { switch: slot, localAsn, id: isNumbered ? address : link },
    address,
    remoteAsn: settings.remote_asn ?? REMOTE_ASN,
    ids: { remote: idOf(address), local: digest(`${localAsn} ${slot}`) },
    source,
  }
}

const allowed = (policy: RoutePolicy, prefixes: readonly string[]): string[] =>
  policy.type === 'no_filtering'
    ? [...prefixes]
    : prefixes.filter((prefix) => policy.value.map(announcedPrefix).includes(prefix))

/** Announcements of a simulated router. */
const announcedBy = ({ address, configured }: Router): string[] =>
  allowed(configured.settings.allowed_import, [ipVersion(address) === 'v4' ? '0.0.0.0/0' : '::/0'])
const announcedTo = ({ configured }: Router): string[] =>
  allowed(configured.settings.allowed_export, configured.networks)

/** The relevant outage: a current one, or the one that ended last. */
function worse(one: Outage | undefined, other: Outage | undefined): Outage | undefined {
  if (!one || !other) return one ?? other
  if (!one.until) return one
  return !other.until || other.until > one.until ? other : one
}

const latest = (one: Date, other: Date) => (one > other ? one : other)

/**
 * Time at which something last started to come up; undefined during an outage. An outage that ended
 * before the configuration does not count.
 */
function begunAt(configuredAt: Date, outage: Outage | undefined): Date | undefined {
  if (!outage) return configuredAt
  return outage.until && latest(outage.until, configuredAt)
}

const later = (time: Date, ms: number) => new Date(time.getTime() + ms)

export function createSimulatedUplinks(
  { database: { db }, clock }: { database: OpenDatabase; clock: () => Date },
  { bootMs }: SimulatedOptions,
): SimulatedUplinks {
  async function outages(): Promise<(slot: SwitchSlot, address: string) => Outage | undefined> {
    const rows = await db.selectFrom('simulated_outage').selectAll().execute()
    const found = new Map(
      rows.map(({ switch_slot, address, time_began, time_ended }): [string, Outage] => [
        `${switch_slot} ${address}`,
        { since: new Date(time_began), until: time_ended ? new Date(time_ended) : undefined },
      ]),
    )
    return (slot, address) => found.get(`${slot} ${address}`)
  }

  /** State of a session that started to come up at some time. */
  function stateSince(begun: Date): { state: BgpPeerState; since: Date } {
    const age = clock().getTime() - begun.getTime()
    if (age >= bootMs) return { state: 'established', since: later(begun, bootMs) }
    const part = bootMs / comingUp.length
    const index = Math.max(0, Math.floor(age / part))
    return { state: comingUp[index]!, since: later(begun, index * part) }
  }

  /** Current state of a session. */
  function sessionOf(configuredAt: Date, outage: Outage | undefined) {
    const begun = begunAt(configuredAt, outage)
    return begun
      ? stateSince(begun)
      : { state: 'active' as const, since: latest(outage!.since, configuredAt) }
  }

  /** Current state of a link, which is up before its peers. */
  function linkStatus(configuredAt: Date, outage: Outage | undefined): LinkStatus {
    const begun = begunAt(configuredAt, outage)
    if (!begun) return { state: 'down', since: latest(outage!.since, configuredAt) }
    const up = later(begun, bootMs / comingUp.length)
    return up <= clock() ? { state: 'up', since: up } : { state: 'coming_up', since: begun }
  }

  async function routers(configured: readonly ConfiguredPeer[]) {
    const outageOf = await outages()
    return configured.map((peer) => {
      const router = routerOf(peer)
      const outage = worse(outageOf(peer.switch, router.address), outageOf(peer.switch, peer.port))
      return { router, outage, session: sessionOf(peer.since, outage) }
    })
  }
  const established = async (configured: readonly ConfiguredPeer[]) =>
    (await routers(configured)).flatMap(({ router, session }) =>
      session.state === 'established' ? [router] : [],
    )

  /** Messages of a session that was established at some time, until its end or now. */
  function messagesOf(router: Router, from: Date, end: Date | undefined): PeerMessages {
    const { configured, known, remoteAsn, ids, address, source } = router
    const { hold_time, keepalive } = configured.settings
    const opened = later(from, -bootMs / comingUp.length)
    const at = (time: Date, message: BgpMessage['message']): BgpMessage => ({
      timestamp: time.toISOString(),
      message,
    })
    const open = (asn: number, id: number) =>
      at(opened, { open: { version: 4, asn, hold_time, id } })
    const update = (nlri: string[], nexthop: string) =>
      nlri.length > 0 ? [at(from, { update: { withdrawn: [], nlri, nexthop } })] : []
    const interval = Math.max(1, keepalive) * 1000
    const until = end ?? clock()
    const count = Math.floor((until.getTime() - from.getTime()) / interval)
    const kept = Math.min(count, KEPT_KEEPALIVES)
    const keepalives = Array.from({ length: Math.max(0, kept) }, (_, index) =>
      at(later(from, (count - kept + 1 + index) * interval), { keepalive: {} }),
    )
    const over = end ? [at(later(end, hold_time * 1000), { notification: HOLD_TIMER_EXPIRED })] : []
    return {
      peer: known,
      sent: [
        open(configured.localAsn, ids.local),
        ...update(announcedTo(router), source),
        ...keepalives,
        ...over.filter(({ timestamp }) => timestamp <= clock().toISOString()),
      ],
      received: [
        open(remoteAsn, ids.remote),
        ...update(announcedBy(router), address),
        ...keepalives,
      ],
    }
  }

  const links = async (configured: readonly ConfiguredLink[]) => {
    const outageOf = await outages()
    return configured.map(({ switch: slot, port, since }) =>
      linkStatus(since, outageOf(slot, port)),
    )
  }

  return {
    ports: async () =>
      switchSlots.flatMap((slot) =>
        Array.from({ length: SWITCH_PORTS }, (_, index) => ({
          switch: slot,
          port: `qsfp${index}`,
        })),
      ),
    links,
    async neighbors(configured) {
      const statuses = await links(configured)
      return configured.map((link, index) => {
        const { state, since } = statuses[index]!
        if (!link.lldp || state !== 'up') return []
        const number = digest(`${link.switch} ${link.port} ${link.link}`)
        const age = clock().getTime() - since.getTime()
        const chassis = (0x02_00_00_00_00_00 + number).toString(16).padStart(12, '0')
        return [
          {
            chassisId: chassis.match(/../g)!.join(':'),
            linkName: `Ethernet${1 + (number % 32)}/1`,
            systemName: `router-${1 + (number % 97)}`,
            systemDescription: 'Simulated router',
            managementAddresses: [`192.0.2.${1 + (number % 254)}`],
            firstSeen: since,
            lastSeen: later(since, age - (age % LLDP_INTERVAL_MS)),
          },
        ]
      })
    },
    async monitors({ switch: slot, port }) {
      const outage = (await outages())(slot, port)
      const hears = !outage || outage.until !== undefined
      const number = digest(`${slot} ${port}`)
      return {
        temperature: 34 + (number % 90) / 10,
        receiverPower: hears ? 0.6 + (number % 40) / 100 : 0,
        transmitterPower: 0.9 + (number % 20) / 100,
      }
    },
    async peers(configured) {
      return (await routers(configured)).map(({ router, session }) => ({
        peer: router.known,
        address: router.address,
        remoteAsn: router.remoteAsn,
        ...session,
      }))
    },
    async exported(configured) {
      return (await established(configured)).flatMap((router) =>
        announcedTo(router).map((prefix) => ({ peer: router.known, prefix })),
      )
    },
    async imported(configured) {
      return (await established(configured)).flatMap((router) =>
        announcedBy(router).map((prefix) => ({
          peer: router.known,
          id: router.ids.remote,
          nexthop: router.address,
          prefix,
        })),
      )
    },
    async messages(configured) {
      return (await routers(configured)).map(({ router, outage, session }) => {
        if (session.state === 'established') return messagesOf(router, session.since, undefined)
        // Messages from before the outage are still known.
        const up = later(router.configured.since, bootMs)
        return outage && outage.since > up
          ? messagesOf(router, up, outage.since)
          : { peer: router.known, sent: [], received: [] }
      })
    },
    async bfd(configured) {
      const outageOf = await outages()
      return configured.map(({ switch: slot, peer, since }): BfdState => {
        const { state } = sessionOf(since, outageOf(slot, peer))
        if (state === 'established') return 'up'
        return state === 'open_sent' || state === 'open_confirm' ? 'init' : 'down'
      })
    },
    async down() {
      const rows = await db
        .selectFrom('simulated_outage')
        .select(['switch_slot', 'address'])
        .where('time_ended', 'is', null)
        .orderBy('switch_slot')
        .orderBy('address')
        .execute()
      return rows.map(({ switch_slot: slot, address: end }) => ({ slot, end }))
    },
    async takeDown(switch_slot, end) {
      const time_began = clock().toISOString()
      await db
        .insertInto('simulated_outage')
        .values({ switch_slot, address: end, time_began, time_ended: null })
        .onConflict((conflict) =>
          conflict
            .columns(['switch_slot', 'address'])
            .doUpdateSet({ time_began, time_ended: null }),
        )
        .execute()
    },
    async bringUp(slot, end) {
      await db
        .updateTable('simulated_outage')
        .set({ time_ended: clock().toISOString() })
        .where('switch_slot', '=', slot)
        .where('address', '=', end)
        .where('time_ended', 'is', null)
        .execute()
    },
  }
}
