import { afterAbout } from './beat.ts'
import type { Settings } from './settings.ts'
import type { TaskLease } from './task-lease.ts'

/** The last round of a task. */
interface TaskRound {
  time_began: Date
  /** Its length in milliseconds. */
  ms: number
  /** `elsewhere` if another server has the lease of the task. */
  result: 'done' | 'failed' | 'elsewhere'
  error?: unknown
}

export interface TaskStatus {
  /** Describes its work, on the page of operators and in the log: "evaluating alert rules". */
  name: string
  running: boolean
  /** The last round that ended at this server. */
  last?: TaskRound
  /** When the next round begins, if one is planned. */
  time_next?: Date
}

/** Work that is done in the background, round by round, never two at the same time. */
export interface Task {
  start: () => Promise<void>
  /** Waits for the present round; no other begins. */
  stop: () => Promise<void>
  /** Runs a round, after those that were asked for before. A failure is logged. */
  now: () => Promise<void>
  /**
   * A notice that there is work: the next round begins within a number of milliseconds, or after the
   * present round and its rest. A round that is planned for an earlier time stays. Before the start
   * this does nothing.
   */
  soon: (ms: number) => void
  status: () => TaskStatus
}

export interface TaskOptions {
  name: string
  /** Milliseconds between the beginnings of rounds, about; Infinity for rounds by {@link Task.soon} alone. */
  every: number
  /** Milliseconds from the start to the first round; `every` by default. */
  first?: number
  /** A round is followed by a rest of at least so many times its length. */
  restFactor?: number
  /** Held from the first round on. A round takes it itself, for all its work or for a part. */
  lease?: TaskLease
}

function afterExactly(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}

/** @param round its work; it ends early once `isActive` says so */
export function createTask(
  { clock, log }: { clock: () => Date; log: Settings['log'] },
  { name, every, first = every, restFactor = 0, lease }: TaskOptions,
  round: (isActive: () => boolean) => Promise<void | 'elsewhere'>,
): Task {
  let started = false
  let stopped = false
  let holding: Promise<void> | undefined
  let present: Promise<void> = Promise.resolve()
  let running = false
  let last: TaskRound | undefined
  let cancel = (): void => {}
  /** When the next round is due, and how long the task rests before it, by the monotonic clock. */
  let dueAt = Infinity
  let restsUntil = 0

  const hold = () => (holding ??= lease?.start() ?? Promise.resolve())
  const isActive = () => !stopped

  async function run(): Promise<void> {
    if (stopped) return
    // This round has seen to all notices so far; one that comes from now on begins another round.
    cancel()
    dueAt = Infinity
    const began = performance.now()
    const time_began = clock()
    let ended: Pick<TaskRound, 'result' | 'error'>
    running = true
    try {
      ended = { result: (await round(isActive)) ?? 'done' }
    } catch (error) {
      ended = { result: 'failed', error }
      if (!stopped) log(`${name} failed`, error)
    }
    running = false
    const ms = performance.now() - began
    last = { time_began, ms, ...ended }
    restsUntil = performance.now() + restFactor * ms
    plan(every - ms, afterAbout)
  }
  const now = async (): Promise<void> => {
    if (stopped) return
    await hold()
    await (present = present.then(run))
  }
  const beginsAt = () => Math.max(dueAt, restsUntil)
  function plan(ms: number, after: typeof afterAbout): void {
    if (!started || stopped) return
    dueAt = Math.min(dueAt, performance.now() + ms)
    // The end of a running round plans the next one.
    if (running || dueAt === Infinity) return
    cancel()
    cancel = after(Math.max(0, beginsAt() - performance.now()), () => void now())
  }
  const soon = (ms: number): void => plan(ms, afterExactly)
  return {
    now,
    soon,
    async start() {
      started = true
      await hold()
      soon(first)
    },
    async stop() {
      stopped = true
      cancel()
      await present
      await holding
      if (holding) await lease?.stop()
    },
    status: () => ({
      name,
      running,
      ...(last && { last }),
      ...(dueAt < Infinity && {
        time_next: new Date(clock().getTime() + beginsAt() - performance.now()),
      }),
    }),
  }
}
