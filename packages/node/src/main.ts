/**
 * The entry of the command line. Checks the version of Node before it loads modules that need a new
 * one.
 */
import { enableCompileCache } from 'node:module'
import { installation } from './installation.ts'
import { nodeVersionProblem } from './node-version.mjs'

const problem = nodeVersionProblem()
if (problem) {
  console.error(problem)
  process.exit(2)
}
// Reuses the compiled code of the last start; without it, compiling takes half of a start.
enableCompileCache(installation.compileCache)
const { run } = await import('./cli.ts')
await run(process.argv.slice(2), process.env)
