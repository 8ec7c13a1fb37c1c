/** How many packets each firewall rule has decided about. */
import type { DecisionUse } from '@steading/control-plane/ports'
import type { Remote } from '../ovsdb/remote.ts'
import type { Run } from '../host/run.ts'
import type { Decision } from '../northbound/northbound.ts'
import { type Flow, hintOf, readFlows, readLogicalFlows } from './flows.ts'

/** Whoever asks within this time gets the same answer. Milliseconds. */
const FRESH_MS = 3_000
/**
 * Flows are replaced with each change of the rules around them, and forget what they have counted, so
 * they are read before that happens, mostly. Milliseconds.
 */
const ROUND_MS = 60_000

/** The sum of a decision, which grows as long as the decision stays the same. */
export interface Sum extends DecisionUse {
  /** Packets of each flow at the last look. */
  seen: ReadonlyMap<string, number>
}

/** What a look at the flows has found. */
export interface Look {
  flows: readonly Flow[]
  /** The hint of each logical flow, by the id of its flows. */
  hints: ReadonlyMap<string, string>
  decisions: readonly Decision[]
  now: Date
}

interface CounterOptions {
  run: Run
  southbound: Remote
  decisions: () => Promise<readonly Decision[]>
}

export interface RuleCounters {
  /** What the decisions of a VPC have counted, by their keys. */
  of: (vpcId: string) => Promise<ReadonlyMap<string, DecisionUse>>
  /** Looks again and again, until it is closed. */
  start: () => void
  close: () => void
}

const before = (now: Date, seconds: number): Date => new Date(now.getTime() - seconds * 1000)

/** Packets since the last look, of which a flow may know only some. */
function added({ id, packets, age }: Flow, { seen }: Sum, sinceLook: number): number {
  const known = seen.get(id) ?? 0
  if (packets >= known) return packets - known
  // All of its flows are new, or one of several has gone together with what it had counted.
  return age < sinceLook ? packets : 0
}

const idOf = ({ vpcId, key, text }: Decision): string => `${vpcId} ${key} ${text}`

/**
 * Adds what a look has found. Sums of decisions that are gone go as well. Pure.
 * @param sums by the VPC, the key and the contents of a decision
 * @param sinceLook seconds since the look before; infinite without one
 */
export function addLook(
  sums: ReadonlyMap<string, Sum>,
  { flows, hints, decisions, now }: Look,
  sinceLook: number,
): Map<string, Sum> {
  const byHint = Map.groupBy(flows, ({ id }) => hints.get(id))
  return new Map(
    decisions.map((decision) => {
      const own = byHint.get(hintOf(decision.uuid)) ?? []
      // A rule that decides about no port of this host has no flows.
      const age = Math.max(0, ...own.map((flow) => flow.age))
      const sum = sums.get(idOf(decision)) ?? {
        packets: 0,
        since: before(now, age),
        last: undefined,
        seen: new Map(),
      }
      const used = own.filter(({ packets }) => packets > 0)
      const lasts = [...used.map(({ idle }) => before(now, idle)), ...(sum.last ? [sum.last] : [])]
      return [
        idOf(decision),
        {
          packets: sum.packets + own.reduce((all, flow) => all + added(flow, sum, sinceLook), 0),
          since: sum.since,
          last: lasts.length > 0 ? new Date(Math.max(...lasts.map(Number))) : undefined,
          seen: new Map(own.map(({ id, packets }) => [id, packets])),
        },
      ]
    }),
  )
}

/**
 * Sums grow as long as a rule stays the same and this server runs. What flows count between the last
 * look and their end is lost.
 */
export function createRuleCounters(options: CounterOptions): RuleCounters {
  const { run, southbound, decisions } = options
  let sums: ReadonlyMap<string, Sum> = new Map()
  /** Time of the last look, by a clock that nobody sets. Milliseconds. */
  let looked = -Infinity
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const [flows, hints] = await Promise.all([readFlows(run), readLogicalFlows(southbound)])
    const look = { flows, hints, decisions: await decisions(), now: new Date() }
    const now = performance.now()
    sums = addLook(sums, look, (now - looked) / 1000)
    looked = now
  }

  const fresh = async (): Promise<void> => {
    if (performance.now() - looked < FRESH_MS) return
    await (looking ??= look().finally(() => (looking = undefined)))
  }

  return {
    async of(vpcId) {
      await fresh()
      return new Map(
        (await decisions()).flatMap((decision) => {
          const sum = decision.vpcId === vpcId ? sums.get(idOf(decision)) : undefined
          return sum ? [[decision.key, sum] as const] : []
        }),
      )
    },
    start() {
      // A switch that does not answer now may do so in the next round; whoever asks is told why.
      timer = setInterval(() => void fresh().catch(() => {}), ROUND_MS)
      timer.unref()
    },
    close: () => clearInterval(timer),
  }
}
