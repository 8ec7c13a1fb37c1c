/**
 * Loaded into a server by `--import`: measures the event-loop turns, and answers every message with
 * the longest turn since the last one.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface LongestTurn {
  /** Elapsed milliseconds. */
  passed: number
  /** Milliseconds of processor time, independent of other programs. */
  worked: number
  /** Milliseconds for which a hundredth of all turns has delayed others. */
  delayed: number
}

const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()

const used = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
let before = used()
let worked = 0
setInterval(() => {
  const now = used()
  worked = Math.max(worked, now - before)
  before = now
}, 1).unref()

process.on('message', () => {
  const longest = { passed: delays.max / 1e6, worked, delayed: delays.percentile(99) / 1e6 }
  process.send!(longest satisfies LongestTurn)
  delays.reset()
  worked = 0
})
// The server can exit while its parent still listens.
process.channel!.unref()
