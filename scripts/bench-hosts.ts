/**
 * `npm run bench:hosts [-- starts | moves | many]`: starts and moves of instances on added hosts, each
 * against `virsh`, and 200 instances that are started on four hosts at once. Only measures; nothing
 * passes or fails.
 */
import { hostsMissing } from '../packages/libvirt/test/support/hosts-in-namespaces.ts'
import { openHostsCloud } from './bench/hosts/cloud.ts'
import { manyFigures } from './bench/hosts/many.ts'
import { moveFigures, startFigures } from './bench/hosts/one.ts'

const figures = { starts: startFigures, moves: moveFigures, many: manyFigures }

const missing = hostsMissing()
if (missing !== undefined) {
  console.error(`There can be no hosts here: ${missing}.`)
  process.exit(1)
}
const cloud = await openHostsCloud(4)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cloud.close().finally(() => process.exit(1)))
}
try {
  const [wanted] = process.argv.slice(2)
  for (const [name, print] of Object.entries(figures)) {
    if (wanted === undefined || wanted === name) await print(cloud)
  }
} finally {
  await cloud.close()
}
