/**
 * `npm run test:failover`: three servers on the PostgreSQL of a Patroni cluster, of which each part
 * is killed or hangs. Prints what callers saw of it.
 */
import { patroniMissing } from '../packages/node/test/failover/missing.ts'
import { run } from './processes.ts'

const missing = patroniMissing()
if (missing !== undefined) {
  console.error(`There can be no failover here: ${missing}.`)
  process.exit(1)
}
process.exitCode = await run('vitest', ['run', '--project', 'failover'], {
  STEADING_LONG_TESTS: '1',
})
