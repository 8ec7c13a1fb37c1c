/**
 * `npm run test:machines`: the tests with real machines. Of the packages also those that kill
 * servers, QEMU and libvirt's daemon, which belong to the long tests; then those in a browser.
 */
import { machinesMissing } from '../packages/libvirt/test/support/libvirt.ts'
import { run } from './processes.ts'
import { refresh, sites } from './sites.ts'

const missing = machinesMissing()
if (missing !== undefined) {
  console.error(`No real machine runs here: ${missing}.`)
  process.exit(1)
}
const long = { STEADING_LONG_TESTS: '1' }
let failed = false
const check = (passed: boolean): void => void (failed ||= !passed)
check((await run('vitest', ['run', '--project', 'machines', '--project', 'attacks'], long)) === 0)
for (const site of sites) check(await refresh(site))
check((await run('playwright', ['test', '--config=e2e', 'real-guest'], long)) === 0)
process.exitCode = failed ? 1 : 0
