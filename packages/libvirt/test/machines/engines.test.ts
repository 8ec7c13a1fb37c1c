/** The engine at its ports: it passes the conformance tests with real guests. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OpenDatabase } from '../../../control-plane/src/kernel/db/database.ts'
import { openDatabase } from '../../../control-plane/src/open-database.ts'
import { createInventory } from '../../../control-plane/src/resources/observability/timeseries/inventory.ts'
import {
  consolesConform,
  type EnginesUnderTest,
  machinesConform,
  volumesConform,
} from '../../../control-plane/test/conformance/engines.ts'
import { openSqlite } from '../../../node/src/sqlite.ts'
import { libvirtEngine, type LibvirtEngines } from '../../src/engine.ts'
import { keys, killQemu, writeGuestDisk } from '../support/guest.ts'

const log = vi.fn<(message: string, detail?: unknown) => void>()
const data = mkdtempSync(join(tmpdir(), 'steading-machines-'))
chmodSync(data, 0o711)
let database: OpenDatabase
let libvirt: LibvirtEngines
let engines: EnginesUnderTest

beforeAll(async () => {
  const engine = libvirtEngine({
    directory: join(data, 'libvirt'),
    stopMs: 20_000,
    rebootMs: 2_000,
    scanMs: 500,
  })
  database = await openDatabase(await openSqlite(join(data, 'steading.db')), engine)
  libvirt = engine.open({
    database,
    clock: () => new Date(),
    log,
    networks: { around: async () => undefined },
    inventory: createInventory(database.db),
  })
  await libvirt.volumes.start()
  await libvirt.machines.start()
  const { machines } = libvirt
  engines = {
    ...libvirt,
    machines: {
      ...machines,
      // The disks of the specification are in no file.
      async run(id, spec, fence) {
        const volumes = await Promise.all(
          spec.volumes.map(async (volume) => {
            const path = join(data, `${id}-${volume.slot}`)
            await writeGuestDisk(path)
            return { ...volume, source: { path, format: 'raw' as const } }
          }),
        )
        await machines.run(id, { ...spec, volumes }, fence)
      },
    },
    sled: { id: crypto.randomUUID(), serial: 'HOST' },
    otherSled: undefined,
    fail: async (id) => killQemu(id),
    ...keys,
  }
})
afterAll(async () => {
  await libvirt?.machines.close()
  await libvirt?.volumes.close()
  await database?.close()
  rmSync(data, { recursive: true, force: true })
})
const make = () => engines

describe('the machines of libvirt', () => {
  machinesConform(make)
})
describe('the consoles of libvirt', () => {
  consolesConform(make)
})
describe('the volumes of libvirt', () => {
  volumesConform(make)
})
test('no error was logged', () => {
  expect(log.mock.calls).toEqual([])
})
