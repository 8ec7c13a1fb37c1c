/**
 * `npm run bench:hostile [-- <words of a load>]`: the effect of one user's load on others. Applies
 * loads to a server, one after the other, and prints the longest event-loop turn and the latency of
 * another user's calls for each, also as ratios to the idle server in the same run, and to the aims.
 * Only measures; nothing passes or fails. `STEADING_ENGINE` chooses the engine of the machines.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { startHost } from './bench/host.ts'
import { loads } from './bench/hostile/loads.ts'
import { leaveWorld, makeWorld } from './bench/hostile/world.ts'
import { sized } from './bench/smoke.ts'

const IDLE_MS = sized(5000, 200)
/** Maximum duration of a load in milliseconds. */
const LOAD_MS = sized(30_000, 1000)
/** Milliseconds for the server to finish a load before the next one is prepared. */
const REST_MS = sized(2000, 0)

/** Aims in milliseconds: for the longest turn, and for the worst ping. */
const AIM = { turn: 50, worst: 200 }

/** Milliseconds. */
interface Figures {
  turn: number
  /** Processor time of the longest turn. */
  worked: number
  median: number
  worst: number
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
const times = (value: number, of: number): string => `${(value / of).toFixed(1)}×`

const words = process.argv.slice(2).map((word) => word.toLowerCase())
const wanted = loads.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
if (wanted.length === 0) {
  console.error(`No such load. There are:\n${loads.map(({ name }) => `  ${name}`).join('\n')}`)
  process.exit(2)
}

const data = mkdtempSync(join(tmpdir(), 'steading-bench-'))
const host = await startHost(data)
let pings: Worker | undefined
let leave = async () => {}
try {
  const world = await makeWorld(host)
  leave = () => leaveWorld(world)
  const file = join(import.meta.dirname, 'bench/hostile/pings.ts')
  const workerData = { url: world.url, cookie: world.bystanderCookie }
  pings = new Worker(file, { workerData })
  let answers: number[] = []
  pings.on('message', (milliseconds: number) => answers.push(milliseconds))

  const measure = async <T>(work: () => Promise<T>): Promise<[Figures, T]> => {
    await host.longestTurn()
    answers = []
    const result = await work()
    // A ping sent during the load counts, even if its answer arrives after it.
    const { length } = answers
    while (answers.length === length) await pause(10)
    const sorted = answers.toSorted((a, b) => a - b)
    const [median, worst] = [sorted[sorted.length >> 1]!, sorted.at(-1)!]
    const { passed: turn, worked } = await host.longestTurn()
    return [{ turn, worked, median, worst }, result]
  }
  const print = (
    name: string,
    { turn, worked, median, worst }: Figures,
    idle: Figures,
    outcome = '',
  ) => {
    const figures = [
      [turn, idle.turn],
      [worked, idle.worked],
      [median, idle.median],
      [worst, idle.worst],
    ] as const
    const columns = figures.map(
      ([value, of]) => `${ms(value).padStart(10)}${times(value, of).padStart(8)}`,
    )
    const aims = `${times(turn, AIM.turn)} ${times(worst, AIM.worst)}`.padStart(14)
    console.log(`${name.padEnd(44)}${columns.join('')}${aims}  ${outcome}`)
  }

  // All one-time work is done by now.
  await pause(REST_MS)
  const [idle] = await measure(() => pause(IDLE_MS))
  const heads = ['longest turn', 'processor of it', 'median ping', 'worst ping'].map((head) =>
    head.padStart(18),
  )
  const aims = `of ${AIM.turn}, ${AIM.worst} ms`.padStart(14)
  console.log(`machines: ${world.engine}`.padEnd(44) + heads.join('') + aims)
  print('idle', idle, idle)
  for (const { name, prepare, apply, clear } of wanted) {
    await prepare?.(world)
    await pause(REST_MS)
    const signal = AbortSignal.timeout(LOAD_MS)
    const [figures, outcome] = await measure(() => apply(world, signal))
    print(name, figures, idle, outcome)
    await clear?.(world)
    await pause(REST_MS)
  }
} finally {
  await pings?.terminate()
  await leave().catch(console.error)
  await host.stop()
  rmSync(data, { recursive: true, force: true })
}
