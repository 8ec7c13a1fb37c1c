/**
 * `npm run test:long [-- <words>]`: the tests of the packages, with more kills and random worlds, with
 * all of them over both databases, and with those that install the product from scratch.
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
