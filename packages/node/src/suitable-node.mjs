/**
 * Continues with a suitable Node if the machine's is too old. Plain JavaScript of 2020, for the old
 * one.
 */
import { spawn } from 'node:child_process'
import { nodeVersionProblem } from './node-version.mjs'

/** Prevents an unsuitable second Node from restarting itself forever. */
const AGAIN = 'STEADING_BUNDLED_NODE'

/** Ends this process when the old Node that started it is killed. */
function endWithParent() {
  if (!process.env[AGAIN] || !process.channel) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

/**
 * Runs the program here if this Node is suitable, and otherwise the same command line with another
 * one. Without another one, prints advice and exits with 2.
 * @param run runs the program in this process
 * @param findNode returns the path of another Node; undefined if there is none
 */
export function withSuitableNode(run, findNode) {
  const problem = nodeVersionProblem()
  if (!problem) {
    endWithParent()
    return run()
  }
  const node = process.env[AGAIN] ? undefined : findNode()
  if (!node) {
    console.error(problem)
    process.exit(2)
  }
  const child = spawn(node, process.argv.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [AGAIN]: '1' },
  })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code === null ? (signal ? 1 : 0) : code))
  return undefined
}
