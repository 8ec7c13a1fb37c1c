/**
 * Loaded into a server by `--import`: measures the turns of its event loop, and answers every message
 * with the longest one since the message before, in milliseconds.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()
process.on('message', () => {
  process.send!(delays.max / 1e6)
  delays.reset()
})
// A server ends although its parent still listens.
process.channel!.unref()
