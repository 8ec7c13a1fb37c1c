/**
 * Waits of work that is repeated and need not be exact: they end together, on beats, so that an idle
 * process sleeps in between. Each wait that ends by itself would wake it.
 */
import { yieldToEventLoop } from './event-loop.ts'

/** Waits of these lengths end on beats that are so far apart. Milliseconds. */
const steps = [5_000, 2_000, 1_000]
/** Longer waits are few. Milliseconds. */
const LONGEST_MS = 10_000
/** A wait may end so much too early, as work between two waits takes time. Milliseconds. */
const EARLY_MS = 500

interface Wait {
  /** Its beat, by the monotonic clock. */
  at: number
  work: () => void
}

const waits = new Set<Wait>()
let timer: ReturnType<typeof setTimeout> | undefined
/** The beat for which the timer is set. */
let nextAt = Infinity
/** The last beat. */
let passed = 0
/**
 * The monotonic clock, which is not before the last beat: if tests stop the clocks, short waits do not
 * come before longer ones for ever.
 */
const present = (): number => Math.max(performance.now(), passed)

function plan(): void {
  const earliest = Math.min(...[...waits].map(({ at }) => at))
  if (earliest === nextAt) return
  clearTimeout(timer)
  nextAt = earliest
  if (earliest === Infinity) passed = 0
  else timer = setTimeout(() => void beat(), Math.max(0, earliest - present()))
}

async function beat(): Promise<void> {
  const at = nextAt
  nextAt = Infinity
  passed = at
  const due = [...waits].filter((wait) => wait.at <= at)
  for (const wait of due) waits.delete(wait)
  plan()
  for (const wait of due) {
    // Together they would hold up other work, and further turns do not wake the process.
    await yieldToEventLoop()
    wait.work()
  }
}

/**
 * Does some work after about a number of milliseconds: exactly then if that is less than half a second
 * or more than ten, and otherwise on the first beat from half a second before that time on.
 * @returns ends the wait
 */
export function afterAbout(ms: number, work: () => void): () => void {
  const step = steps.find((length) => length <= ms + EARLY_MS)
  if (step === undefined || ms > LONGEST_MS) {
    const exact = setTimeout(work, ms)
    return () => clearTimeout(exact)
  }
  const at = Math.ceil((present() + ms - EARLY_MS) / step) * step
  const wait = { at, work }
  waits.add(wait)
  plan()
  return () => {
    // Its beat may have begun.
    wait.work = () => {}
    if (waits.delete(wait)) plan()
  }
}
