/**
 * `npm run test:long [-- <words>]`: the package tests with more kills and random worlds, all of
 * them over both databases, and the tests that install the product from scratch.
 */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, run } from './processes.ts'

const script = join(import.meta.dirname, 'package-tests.ts')
const report = join(root, 'node_modules/.cache/reports/long.json')
mkdirSync(dirname(report), { recursive: true })
process.exitCode = await run(process.execPath, [script, report, ...process.argv.slice(2)], {
  STEADING_LONG_TESTS: '1',
})
