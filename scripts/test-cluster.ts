/**
 * `npm run test:cluster`: the playbooks of `deploy/cluster` make a cloud of three machines in
 * containers, which then loses the primary of its database and is upgraded. Takes some ten minutes,
 * and the packages that `npm run release` has built.
 */
import { clusterMissing } from '../packages/node/test/support/cluster.ts'
import { run } from './processes.ts'

const missing = clusterMissing()
if (missing !== undefined) {
  console.error(`There can be no such machines here: ${missing}.`)
  process.exit(1)
}
process.exitCode = await run('vitest', ['run', '--project', 'unit', 'packages/node/test/cluster'], {
  STEADING_LONG_TESTS: '1',
})
