/**
 * `npm run test:networks`: the long tests of real networks: packets through OVN in many random
 * clouds, uplinks by FRR, daemons that are killed, databases that are full, the host without root, and a Debian in it.
 */
import { frrMissing } from '../packages/frr/test/support/world.ts'
import { ovnMissing } from '../packages/ovn/test/support/open-world.ts'
import { rootlessMissing } from '../packages/rootless/test/support/missing.ts'
import { run } from './processes.ts'

const missing = {
  OVN: ovnMissing(),
  FRR: frrMissing(),
  'the host without root': rootlessMissing(),
}
for (const [what, reason] of Object.entries(missing)) {
  if (reason !== undefined) console.error(`The tests with ${what} cannot run: ${reason}.`)
}
if (Object.values(missing).every((reason) => reason !== undefined)) process.exit(1)
const files = [
  'packages/ovn',
  'packages/frr',
  'packages/rootless',
  'packages/node/test/rootless',
  'packages/node/test/debian',
]
process.exitCode = await run('vitest', ['run', '--project', 'unit', ...files], {
  STEADING_LONG_TESTS: '1',
})
