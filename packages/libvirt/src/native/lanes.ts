/**
 * How many calls to libvirt run at the same time, and how long each of them may take. libvirt's
 * daemon has 20 threads by default, and five more for calls that end domains: a call that is stuck
 * occupies one of them until its QEMU ends.
 */
import { LateCall, LibvirtError } from './errors.ts'
import type { Domains } from './types.ts'

interface LaneRule {
  /** Calls at the same time, at most one of them about each domain. */
  calls: number
  /** Whether a domain that has not answered in time is not asked again for a while. */
  rests: boolean
}

/** The calls by what they wait for. */
export const lanes = {
  /** For the daemon alone. */
  quick: { calls: 4, rests: false },
  /** For QEMU. */
  slow: { calls: 6, rests: true },
  /** For the agent in a guest. */
  agent: { calls: 4, rests: true },
  /** For the end of a domain, which is tried again as often as it is asked for. */
  end: { calls: 5, rests: false },
  /** For a picture, which takes many calls. */
  picture: { calls: 1, rests: true },
  /** For a whole machine that moves. */
  move: { calls: 2, rests: false },
} as const satisfies Record<string, LaneRule>
export type Lane = keyof typeof lanes

/** Milliseconds from the moment a call is asked for. */
export const callLimits = {
  quick: 30_000,
  slow: 60_000,
  /** QEMU may have much to prepare, and libvirt may have to examine its programs first. */
  start: 300_000,
  /** libvirt's own limit comes first, unless the agent never stops talking. */
  agent: 20_000,
  end: 90_000,
  picture: 30_000,
  /** A move that copies nothing is stopped earlier. */
  move: 6 * 60 * 60_000,
}
export type CallLimits = Readonly<typeof callLimits>

/** Calls that wait in one lane. */
const WAITING_MAX = 1_000
/**
 * A domain whose QEMU or agent has not answered in time is not asked again for this long. Otherwise
 * a few of them would occupy the lane for good. Milliseconds.
 */
const REST_MS = 60_000

export type CallName = Exclude<keyof Domains, 'subscribe' | 'close'>

interface CallRule {
  lane: Lane
  limit: keyof CallLimits
  /** Whether its first argument is the UUID of a domain. */
  ofDomain: boolean
}

const rule = (lane: Lane, limit: keyof CallLimits = lane, ofDomain = true): CallRule => ({
  lane,
  limit,
  ofDomain,
})

export const callRules: Record<CallName, CallRule> = {
  // The first call of a server, which may wait until the daemon has examined QEMU.
  versions: rule('quick', 'start', false),
  statuses: rule('quick', 'quick', false),
  stats: rule('quick', 'quick', false),
  status: rule('quick'),
  metadata: rule('quick'),
  xml: rule('quick'),
  capabilities: rule('slow', 'start', false),
  nodeInfo: rule('quick', 'start', false),
  processorTimes: rule('quick', 'quick', false),
  seesFile: rule('slow', 'slow', false),
  isPoolMounted: rule('quick', 'quick', false),
  mountPool: rule('slow', 'slow', false),
  unmountPool: rule('slow', 'slow', false),
  clock: rule('slow', 'slow', false),
  move: rule('move'),
  moveProgress: rule('quick'),
  stopMove: rule('end'),
  domainCapabilities: rule('slow', 'start', false),
  define: rule('slow', 'start'),
  create: rule('slow', 'start'),
  createTransient: rule('slow', 'start'),
  lacksSpace: rule('slow'),
  shutdown: rule('slow'),
  reboot: rule('slow'),
  reset: rule('slow'),
  suspend: rule('slow'),
  resume: rule('slow'),
  switchDisks: rule('slow'),
  resizeDisk: rule('slow'),
  copyDisk: rule('slow'),
  copyProgress: rule('slow'),
  pivotDisk: rule('slow'),
  stopCopy: rule('slow'),
  monitor: rule('slow'),
  freeze: rule('agent'),
  thaw: rule('agent'),
  destroy: rule('end'),
  undefine: rule('end'),
  screenshot: rule('picture'),
}

/** A call that was asked for. */
export interface Asked {
  name: CallName
  /** UUID; undefined for a call about no single domain. */
  domain: string | undefined
  /** Makes the call. */
  begin: () => void
  /** Ends the waiting for it. */
  fail: (error: Error) => void
  /** Whether it was begun. */
  begun?: boolean
}

export interface Lanes {
  /** Begins a call when its lane has room, or fails it. */
  add: (call: Asked) => void
  /**
   * Takes out a call that has ended, or has failed before it was begun.
   * @param late whether it did not end in its time
   */
  remove: (call: Asked, late?: boolean) => void
}

const silent = () => new LateCall('The machine has not answered libvirt a moment ago')
const key = ({ domain }: Asked): string => domain ?? ''

function createLane({ calls, rests }: LaneRule) {
  let waiting: Asked[] = []
  let running = 0
  const busy = new Set<string>()
  /** Domain → the end of its rest, by a monotonic clock. */
  const resting = new Map<string, number>()

  const isResting = (domain: string): boolean => {
    const end = resting.get(domain)
    if (end === undefined) return false
    if (performance.now() < end) return true
    resting.delete(domain)
    return false
  }
  const pump = (): void => {
    while (running < calls) {
      const next = waiting.find((call) => call.domain === undefined || !busy.has(call.domain))
      if (!next) return
      waiting = waiting.filter((call) => call !== next)
      running++
      if (next.domain !== undefined) busy.add(next.domain)
      next.begun = true
      next.begin()
    }
  }
  return {
    add(call: Asked) {
      if (isResting(key(call))) return call.fail(silent())
      if (waiting.length >= WAITING_MAX) {
        return call.fail(new LibvirtError('Too many calls wait for libvirt', 0))
      }
      waiting.push(call)
      pump()
    },
    remove(call: Asked, late = false) {
      if (!call.begun) {
        waiting = waiting.filter((other) => other !== call)
        return
      }
      running--
      busy.delete(key(call))
      if (late && rests && call.domain !== undefined) {
        resting.set(call.domain, performance.now() + REST_MS)
        const others = waiting.filter(({ domain }) => domain === call.domain)
        for (const other of others) other.fail(silent())
      }
      pump()
    },
    /** The domain may answer again. */
    wake: (domain: string) => void resting.delete(domain),
  }
}

export function createLanes(): Lanes {
  const all = Object.fromEntries(
    Object.entries(lanes).map(([lane, rule]) => [lane, createLane(rule)]),
  ) as Record<Lane, ReturnType<typeof createLane>>
  return {
    add: (call) => all[callRules[call.name].lane].add(call),
    remove(call, late) {
      const { lane } = callRules[call.name]
      all[lane].remove(call, late)
      if (lane !== 'end' || late || call.domain === undefined) return
      for (const other of Object.values(all)) other.wake(call.domain)
    },
  }
}
