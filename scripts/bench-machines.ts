/**
 * `npm run bench:machines [-- starts | many | reads | chains | writes]`: real machines and their
 * disks, each against the plain tools where there are any. Only measures; nothing passes or fails.
 */
import { machinesMissing } from '../packages/libvirt/test/support/libvirt.ts'
import startLibvirt from '../packages/libvirt/test/support/machines-setup.ts'
import { openEngine } from './bench/machines/engine.ts'
import { chainFigures, readFigures } from './bench/machines/reads.ts'
import { manyFigures, startFigures } from './bench/machines/starts.ts'
import { writeFigures } from './bench/machines/writes.ts'

const figures = {
  starts: startFigures,
  many: manyFigures,
  reads: readFigures,
  chains: chainFigures,
  writes: writeFigures,
}

const missing = machinesMissing()
if (missing !== undefined) {
  console.error(`No real machine runs here: ${missing}.`)
  process.exit(1)
}
const stopLibvirt = await startLibvirt()
const bench = await openEngine()
try {
  const [wanted] = process.argv.slice(2)
  for (const [name, print] of Object.entries(figures)) {
    if (wanted === undefined || wanted === name) await print(bench)
  }
} finally {
  await bench.close()
  await stopLibvirt()
}
