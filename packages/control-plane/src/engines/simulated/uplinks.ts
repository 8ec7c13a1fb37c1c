/**
 * Routers at the uplinks of the simulated rack. Each configured peer comes up after a while and
 * announces the default route; a router that was taken down is silent until it is brought up again.
 * All of it follows from what is configured, the outages, and the time, so every server says the same.
 */
import {
  type BfdState,
  type BgpPeerState,
  formatAddress,
  ipVersion,
  parseAddress,
  type SwitchSlot,
} from '@steading/api/rules'
import type { OpenDatabase } from '../../kernel/db/database.ts'
import type {
  BgpMessage,
  ConfiguredPeer,
  KnownPeer,
  PeerMessages,
  RoutePolicy,
  Uplinks,
} from '../../kernel/ports/uplinks.ts'
import type { SimulatedOptions } from './options.ts'
import './tables.ts'

export interface SimulatedUplinks extends Uplinks {
  /** Makes a router silent, as seen by one switch, or has it answer again. */
  takeDown: (slot: SwitchSlot, address: string) => Promise<void>
  bringUp: (slot: SwitchSlot, address: string) => Promise<void>
}

/** The ASN of simulated routers whose settings do not say one: the first private one. */
const REMOTE_ASN = 64_512
/** How many keepalives of a session are remembered. */
const KEPT_KEEPALIVES = 8
/** A session ends with it when nothing has been heard for the hold time (RFC 4271, 4.5). */
const HOLD_TIMER_EXPIRED = { error_code: 4, error_subcode: 0 }

/** The states of a session that comes up, each a part of the time that this takes. */
const comingUp = ['idle', 'connect', 'open_sent', 'open_confirm'] as const satisfies BgpPeerState[]

/** When a router last went down, and when it was up again. */
interface Outage {
  since: Date
  until: Date | undefined
}

/** A number that follows from a text, as routers without an IPv4 address have ids. */
function digest(text: string): number {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) {
    value = Math.imul(value ^ byte, 0x01000193) >>> 0
  }
  return value
}

/** A configured peer with what is known of its router. */
interface Router {
  configured: ConfiguredPeer
  known: KnownPeer
  address: string
  remoteAsn: number
  /** The BGP identifiers of the router and of the switch. */
  ids: { remote: number; local: number }
  /** The address of the switch in the session. */
  source: string
}

const idOf = (address: string): number =>
  ipVersion(address) === 'v4' ? Number(parseAddress(address)!.value) : digest(address)

/** The address of a router that is found on its link: one of the link, made of its name. */
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
  prefixes.filter((prefix) => policy.type === 'no_filtering' || policy.value.includes(prefix))

/** What a simulated router announces. */
const announcedBy = ({ address, configured }: Router): string[] =>
  allowed(configured.settings.allowed_import, [ipVersion(address) === 'v4' ? '0.0.0.0/0' : '::/0'])
const announcedTo = ({ configured }: Router): string[] =>
  allowed(configured.settings.allowed_export, configured.networks)

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

  /** The state of a session that began to come up at some time. */
  function stateSince(begun: Date): { state: BgpPeerState; since: Date } {
    const age = clock().getTime() - begun.getTime()
    if (age >= bootMs) return { state: 'established', since: later(begun, bootMs) }
    const part = bootMs / comingUp.length
    const index = Math.max(0, Math.floor(age / part))
    return { state: comingUp[index]!, since: later(begun, index * part) }
  }

  /** A session as it is now; an outage from before the peer was configured does not count. */
  function sessionOf(configuredAt: Date, outage: Outage | undefined) {
    if (outage && !outage.until) {
      const since = outage.since > configuredAt ? outage.since : configuredAt
      return { state: 'active' as const, since }
    }
    const begun = outage?.until && outage.until > configuredAt ? outage.until : configuredAt
    return stateSince(begun)
  }

  async function routers(configured: readonly ConfiguredPeer[]) {
    const outageOf = await outages()
    return configured.map((peer) => {
      const router = routerOf(peer)
      const outage = outageOf(peer.switch, router.address)
      return { router, outage, session: sessionOf(peer.since, outage) }
    })
  }
  const established = async (configured: readonly ConfiguredPeer[]) =>
    (await routers(configured)).flatMap(({ router, session }) =>
      session.state === 'established' ? [router] : [],
    )

  /** The messages of a session that was established at some time, up to its end or now. */
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

  return {
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
        // What was said before a router went silent is still known.
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
    async takeDown(switch_slot, address) {
      const time_began = clock().toISOString()
      await db
        .insertInto('simulated_outage')
        .values({ switch_slot, address, time_began, time_ended: null })
        .onConflict((conflict) =>
          conflict
            .columns(['switch_slot', 'address'])
            .doUpdateSet({ time_began, time_ended: null }),
        )
        .execute()
    },
    async bringUp(slot, address) {
      await db
        .updateTable('simulated_outage')
        .set({ time_ended: clock().toISOString() })
        .where('switch_slot', '=', slot)
        .where('address', '=', address)
        .where('time_ended', 'is', null)
        .execute()
    },
  }
}
