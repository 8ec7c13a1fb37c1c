/** The simulator at its ports: it passes the conformance tests, and servers share it safely. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openPostgres } from '../../../node/src/postgres.ts'
import { openSqlite } from '../../../node/src/sqlite.ts'
import { fileBlockStore } from '../../../node/src/volumes/file-block-store.ts'
import { createRows } from '../../src/rows.ts'
import { newSled } from '../../src/new-sleds.ts'
import { createInventory } from '../../../control-plane/src/resources/observability/timeseries/inventory.ts'
import { simulatedEngine } from '../../src/engines.ts'
import { releaseLease, takeLease } from '../../../control-plane/src/kernel/db/leases.ts'
import type { OpenDatabase } from '../../../control-plane/src/kernel/db/database.ts'
import { memoryBlockStore } from '@steading/control-plane'
import { openDatabase } from '../../../control-plane/src/open-database.ts'
import {
  consolesConform,
  type EnginesUnderTest,
  fullSpec,
  machinesConform,
  volumesConform,
} from '../../../control-plane/test/conformance/engines.ts'
import { ownDatabase } from '../../../control-plane/test/support/harness.ts'

const shared = inject('dialect') === 'postgres'
const sled = { id: crypto.randomUUID(), serial: 'BRM-0001' }
const otherSled = { id: crypto.randomUUID(), serial: 'BRM-0002' }
const log = vi.fn<(message: string, detail?: unknown) => void>()

let database: OpenDatabase
let data: string
let close: () => Promise<void>
const open = (url: string | undefined, path: string) =>
  url === undefined ? openSqlite(join(path, 'steading.db')) : openPostgres(url)

beforeAll(async () => {
  const own = await ownDatabase()
  data = own.data
  database = await openDatabase(
    await open(own.databaseUrl, own.data),
    simulatedEngine(memoryBlockStore()),
  )
  await database.db
    .insertInto('simulated_sled')
    .values([
      { ...newSled(0, false), serial: sled.serial, sled_id: sled.id },
      { ...newSled(1, false), serial: otherSled.serial, sled_id: otherSled.id },
    ])
    .execute()
  close = async () => {
    await database.close()
    own.drop()
  }
})
afterAll(() => close())

describe.each([
  ['takes its time', { bootMs: 60, stopMs: 30, rebootMs: 40 }],
  ['is done at once', { bootMs: 0, stopMs: 0, rebootMs: 0 }],
])('a simulator that %s', (_, options) => {
  let engines: EnginesUnderTest
  beforeAll(async () => {
    const store = fileBlockStore(join(data, crypto.randomUUID()))
    const networks = { around: async () => undefined }
    const inventory = createInventory(database.db)
    const parts = { database, clock: () => new Date(), log, networks, inventory }
    const simulated = simulatedEngine(store, options).open(parts)
    await simulated.volumes.start()
    await simulated.machines.start()
    engines = {
      ...simulated,
      sled,
      otherSled,
      async failMoves() {
        simulated.machines.failMoves('The other sled has no room')
        return async () => simulated.machines.failMoves()
      },
      fail: simulated.machines.crash,
      booted: 'guest:~# ',
      powerOff: 'poweroff\r',
      reboot: 'reboot\r',
      say: (word) => `printf ${word}\\n\r`,
    }
  })
  afterAll(async () => {
    await engines.machines.close()
    await engines.volumes.close()
  })
  const make = () => engines

  test('a repeated snapshot of a running machine answers the same after it has stopped', async () => {
    const { machines, volumes } = engines
    const [volumeId, machineId, snapshotId] = Array.from({ length: 3 }, () => crypto.randomUUID())
    await volumes.create(volumeId!, { size: 4096, blockSize: 512 })
    await volumes.attach(volumeId!, machineId!, 1)
    await machines.run(machineId!, fullSpec(sled), 1)
    const taken = { consistency: 'crash_consistent' }
    expect(await volumes.createSnapshot(snapshotId!, volumeId!)).toEqual(taken)
    await machines.destroy(machineId!, 1)
    expect(await volumes.createSnapshot(snapshotId!, volumeId!)).toEqual(taken)
    expect(await volumes.createSnapshot(crypto.randomUUID(), volumeId!)).toEqual({
      consistency: 'offline',
    })
  })

  describe('the simulated machines', () => {
    machinesConform(make)
  })
  describe('the simulated consoles', () => {
    consolesConform(make)
  })
  describe('the simulated volumes', () => {
    volumesConform(make)
  })
  test('no error was logged', () => {
    expect(log.mock.calls).toEqual([])
  })
})

describe.runIf(shared)('a server that has lost its sled', () => {
  test('writes no output and accepts no keys', async () => {
    const rows = createRows(database)
    const id = crypto.randomUUID()
    await rows.insert({
      id,
      spec: fullSpec(sled),
      phase: 'running',
      since: 0,
      boot: 0,
      reboots: 0,
      version: 0,
    })
    onTestFinished(() => rows.remove(id))
    const name = `sled ${sled.id}`
    const old = { id: sled.id, token: (await takeLease(database, name))! }
    const word = new TextEncoder().encode('word')
    expect(await rows.append(id, 0, { offset: 0, data: word, stored: 0 }, old)).toBe(true)
    await rows.hand(id, sled.id, word)
    await releaseLease(database.db, name, old.token)
    const fresh = { id: sled.id, token: (await takeLease(database, name))! }
    expect(await rows.append(id, 0, { offset: 4, data: word, stored: 0 }, old)).toBe(false)
    expect(await rows.takeInput([old])).toEqual([])
    expect(await rows.outputEnd(id, 0)).toBe(4)
    expect(await rows.append(id, 0, { offset: 4, data: word, stored: 0 }, fresh)).toBe(true)
    // The last row grows, unless somebody else has written to it.
    const twice = new TextEncoder().encode('wordword')
    expect(await rows.append(id, 0, { offset: 4, data: twice, stored: 4 }, fresh)).toBe(true)
    expect(await rows.append(id, 0, { offset: 4, data: twice, stored: 4 }, fresh)).toBe(false)
    expect(await rows.outputEnd(id, 0)).toBe(12)
    expect((await rows.output(id, 0, 2, 12)).data).toEqual(new TextEncoder().encode('rdwordword'))
    expect(await rows.takeInput([fresh])).toEqual([{ id, keys: word }])
    // Nor does a server that has missed a boot, or the end of the machine.
    expect(await rows.append(id, 1, { offset: 0, data: word, stored: 0 }, fresh)).toBe(false)
    await rows.remove(id)
    expect(await rows.append(id, 0, { offset: 8, data: word, stored: 0 }, fresh)).toBe(false)
    await releaseLease(database.db, name, fresh.token)
  })
})
