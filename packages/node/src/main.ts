/**
 * Entry point of the command line. Checks the version of Node before loading modules that need a
 * new one.
 */
import { enableCompileCache } from 'node:module'
import { installation } from './installation.ts'
import { nodeVersionProblem } from './node-version.mjs'

const problem = nodeVersionProblem()
if (problem) {
  console.error(problem)
  process.exit(2)
}
// Reuses the compiled code of the last start; otherwise, compiling takes half of the start time.
enableCompileCache(installation.compileCache)
const { run } = await import('./cli.ts')
await run(process.argv.slice(2), process.env)
