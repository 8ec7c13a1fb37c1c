/** Which hosts follow the changes of networks, and whether OVN itself does. */
import { NETWORK_SILENT_MS } from '@steading/api/rules'
import type { NetworkHealth } from '@steading/control-plane/ports'
import type { Northbound, OtherHosts } from '../northbound/northbound.ts'
import { type Link, openLink } from '../ovsdb/link.ts'
import type { Remote } from '../ovsdb/remote.ts'
import type { Replica, Tables } from '../ovsdb/replica.ts'

/** Tables of the southbound database. */
export const southboundTables = {
  Chassis: {
    name: { type: 'string', holds: 'one' },
    hostname: { type: 'string', holds: 'one' },
  },
  Chassis_Private: {
    name: { type: 'string', holds: 'one' },
    nb_cfg: { type: 'integer', holds: 'one' },
    nb_cfg_timestamp: { type: 'integer', holds: 'one' },
  },
} as const satisfies Tables

export interface Patience {
  /** Milliseconds between two looks. */
  lookMs: number
  /** Milliseconds after which the parts of OVN are asked again, by a change of nothing. */
  askMs: number
  /** Milliseconds after which a part that has not followed a change does not answer. */
  silentMs: number
}

/** A host takes some seconds for its first 50,000 flows. */
const usualPatience: Patience = { lookMs: 5_000, askMs: 30_000, silentMs: NETWORK_SILENT_MS }

/** A moment: its time for people, and milliseconds of a clock that nobody sets. */
export interface Moment {
  date: Date
  ms: number
}
const present = (): Moment => ({ date: new Date(), ms: performance.now() })

/** A change that a part has not followed, and since when that is known. */
export interface Waiting {
  change: number
  since: Moment
}

/** A part of OVN, and the last change that it has followed. */
interface Follower {
  name: string
  followed: number
}

/**
 * The changes for which parts are waited, after another look. A part that follows an old change is
 * there, however many there are meanwhile. Pure.
 */
export function waitFor(
  waiting: ReadonlyMap<string, Waiting>,
  followers: readonly Follower[],
  last: number,
  now: Moment,
): Map<string, Waiting> {
  return new Map(
    followers.flatMap(({ name, followed }): [string, Waiting][] => {
      if (followed >= last) return []
      const known = waiting.get(name)
      return [[name, known && followed < known.change ? known : { change: last, since: now }]]
    }),
  )
}

interface Chassis {
  chassis: string
  name: string
  followed: number
  answered: Date | undefined
}

/** The hosts in the southbound database, by their names. */
export function chassisIn(replica: Replica): Chassis[] {
  const hostnames = new Map(
    [...replica.rows('Chassis').values()].map((row) => [row['name'], String(row['hostname'])]),
  )
  return [...replica.rows('Chassis_Private').values()]
    .map((row) => {
      const chassis = String(row['name'])
      const at = Number(row['nb_cfg_timestamp'])
      return {
        chassis,
        name: hostnames.get(chassis) || chassis,
        followed: Number(row['nb_cfg']),
        answered: at > 0 ? new Date(at) : undefined,
      }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Adds the hosts that are not in the database: their controller was ended, and has said so. */
function withMissing(present: readonly Chassis[], expected: readonly string[]): Chassis[] {
  const missing = expected.filter((name) => !present.some(({ chassis }) => chassis === name))
  return [
    ...present,
    ...missing.map((name) => ({ chassis: name, name, followed: -1, answered: undefined })),
  ]
}

interface WatchOptions {
  /** The northbound database, and the chassis that there should be; fails while there is none. */
  running: () => Promise<{ northbound: Northbound; chassis: readonly string[] }>
  southbound: Remote
  log: (problem: string) => void
  patience?: Patience
}

export interface HostsWatch extends OtherHosts {
  report: () => NetworkHealth
  start: () => void
  close: () => void
}

const NORTHD = 'northd'
const hostKey = (chassis: string): string => `host ${chassis}`

export function watchHosts(options: WatchOptions): HostsWatch {
  const { running, southbound, log, patience = usualPatience } = options
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  let link: Link | undefined
  let waiting: ReadonlyMap<string, Waiting> = new Map()
  let hosts: Chassis[] = []
  let version: string | undefined
  let lost: Moment | undefined
  let asked = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const isLong = (since: Moment | undefined): since is Moment =>
    since !== undefined && performance.now() - since.ms >= patience.silentMs
  const silentSince = (name: string): Date | undefined => {
    const since = waiting.get(name)?.since
    return isLong(since) ? since.date : undefined
  }

  async function look(): Promise<void> {
    const { northbound, chassis: expected } = await running()
    link ??= await openLink({
      remote: southbound,
      database: 'OVN_Southbound',
      tables: southboundTables,
      log,
      onChange: tell,
    })
    if (isClosed) return link.close()
    const { wanted, translated, version: found } = northbound.progress()
    hosts = withMissing(chassisIn(link.now().replica), expected)
    const now = present()
    // A host follows what northd has translated.
    waiting = new Map([
      ...waitFor(waiting, [{ name: NORTHD, followed: translated }], wanted, now),
      ...waitFor(
        waiting,
        hosts.map(({ chassis, followed }) => ({ name: hostKey(chassis), followed })),
        translated,
        now,
      ),
    ])
    version = found
    lost = undefined
    tell()
    if (performance.now() - asked < patience.askMs) return
    asked = performance.now()
    await northbound.advance()
  }

  async function round(): Promise<void> {
    try {
      await look()
    } catch {
      lost ??= present()
    }
    if (isClosed) return
    timer = setTimeout(() => void round(), patience.lookMs)
    timer.unref()
  }

  return {
    state(change) {
      const replica = link?.present()?.replica
      if (!replica || hosts.length === 0) return 'waiting'
      if (silentSince(NORTHD)) return 'silent'
      // One that follows again does so before the next look.
      const answering = chassisIn(replica).filter(({ chassis, followed }) => {
        const key = hostKey(chassis)
        return !silentSince(key) || followed >= waiting.get(key)!.change
      })
      if (answering.length === 0) return 'silent'
      const areAll = answering.length >= hosts.length
      const areLevel = answering.every(({ followed }) => followed >= change)
      return !areAll && areLevel ? 'followed' : 'waiting'
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    report() {
      const northdSilent = lost ? undefined : silentSince(NORTHD)
      return {
        silentCenter: isLong(lost)
          ? { part: 'databases', since: lost.date }
          : northdSilent && { part: 'northd', since: northdSilent },
        hosts: lost
          ? []
          : hosts.map(({ chassis, name, answered }) => ({
              chassis,
              name,
              answered,
              silentSince: silentSince(hostKey(chassis)),
              tunnels: hosts.length - 1,
            })),
        version,
      }
    },
    start() {
      void round()
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      link?.close()
    },
  }
}
