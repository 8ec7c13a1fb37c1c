/** The command line entry. Checks the Node version before it loads anything that needs a new one. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { nodeVersionProblem } from './node-version.mjs'

const problem = nodeVersionProblem()
if (problem) {
  console.error(problem)
  process.exit(2)
}
// Compiled code of the last start; without it half of the start is spent in the compiler.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/compile'))
const { run } = await import('./cli.ts')
await run(process.argv.slice(2), process.env)
