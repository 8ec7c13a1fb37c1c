/**
 * `npm test`: everything. Checks, then the package tests, then the browser tests of the built
 * product. All stages run, even if an earlier one has failed; the last line counts the failures.
 *
 * `npm test -- <words>`: only tests with all the words in path and title. `npm test -- --trace`:
 * keeps a trace of each failed browser test, in `e2e/test-results`.
 */
import { parseArgs } from 'node:util'
import { runChecks } from './checks.ts'
import { runStages, testStages } from './stages.ts'

const { values, positionals: words } = parseArgs({
  options: { trace: { type: 'boolean', default: false } },
  allowPositionals: true,
})

const stages = await testStages({ words, trace: values.trace })
await runStages({ ...(words.length === 0 && { checks: runChecks }), ...stages }, words)
