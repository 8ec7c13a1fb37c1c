/**
 * `npm run test:hosts`: the tests of several hosts: hosts in namespaces with a libvirt of their own
 * each, whose machines move while they run, and which are cut off and killed. `STEADING_EVENTS` events
 * happen in random order, in more than an hour.
 */
import { hostsMissing } from '../packages/libvirt/test/support/hosts-in-namespaces.ts'
import { run } from './processes.ts'

const missing = hostsMissing()
if (missing !== undefined) {
  console.error(`There can be no hosts here: ${missing}.`)
  process.exit(1)
}
const files = ['packages/libvirt/test/hosts', 'packages/node/test/hosts']
process.exitCode = await run('vitest', ['run', '--project', 'machines', ...files], {
  STEADING_LONG_TESTS: '1',
  STEADING_EVENTS: process.env.STEADING_EVENTS ?? '200',
})
