/**
 * `npm test`: everything. Checks of generated files, builds, and then side by side the other checks,
 * the package tests and the browser tests of the built product, because tests wait for a third of
 * their time. All stages run, even if an earlier one has failed; the last line counts the failures.
 *
 * `npm test -- <words>`: only tests with all the words in path and title. `npm test -- --trace`:
 * keeps a trace of each failed browser test, in `e2e/test-results`.
 */
import { parseArgs } from 'node:util'
import { machinesMissing } from '../packages/libvirt/test/support/libvirt.ts'
import startLibvirt from '../packages/libvirt/test/support/machines-setup.ts'
import { runChecks } from './checks.ts'
import { runStages, testStages } from './stages.ts'

const { values, positionals: words } = parseArgs({
  options: { trace: { type: 'boolean', default: false } },
  allowPositionals: true,
})

if (words.length > 0) {
  await runStages(await testStages({ words, trace: values.trace }), words)
} else {
  // Both kinds of tests have real guests, and would end the daemon that they started.
  const libvirt = machinesMissing() === undefined ? startLibvirt() : undefined
  // Without a daemon, the tests that need it fail.
  const stopLibvirt = await libvirt?.catch(() => undefined)
  const stages = await testStages({ words, trace: values.trace, together: true })
  const generated = { 'generated files': () => runChecks('before builds') }
  const others = { checks: () => runChecks('with tests') }
  await runStages([generated, ...stages.slice(0, -1), { ...others, ...stages.at(-1) }], words)
  await stopLibvirt?.()
}
