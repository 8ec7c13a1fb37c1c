/** A data directory of a version without storage pools: all that it has is in the first pool afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Wire } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import { expect, onTestFinished, test } from 'vitest'
import { startSmallServer } from '../../../control-plane/test/support/small-server.ts'
import { blankDisk, until } from '../../../control-plane/test/support/things.ts'
import { libvirtEngine } from '../../src/engine.ts'
import { volumesMissing } from '../support/volumes.ts'

const missing = await volumesMissing()
if (missing) console.warn(`The pools of earlier versions are left out: ${missing}.`)

test.skipIf(missing)('disks and snapshots are in the first pool, with their room', async () => {
  const data = mkdtempSync(join(tmpdir(), 'steading-earlier-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const start = async () => {
    const engine = libvirtEngine({ directory: join(data, 'libvirt'), answerMs: 1 })
    const server = await startSmallServer(join(data, 'steading.db'), engine)
    onTestFinished(server.stop)
    return server
  }
  const before = await start()
  await before.call('POST', '/v1/projects', { name: 'work', description: '' })
  const { size } = await before.call<Wire.Disk>(
    'POST',
    '/v1/disks?project=work',
    blankDisk('grain'),
  )
  await until(
    () => before.call<Wire.Disk>('GET', '/v1/disks/grain?project=work'),
    ({ state }) => expect(state.state).toBe('detached'),
  )
  await before.call('POST', '/v1/snapshots?project=work', {
    name: 'harvest',
    description: '',
    disk: 'grain',
  })
  await until(
    () => before.call<Wire.Snapshot>('GET', '/v1/snapshots/harvest?project=work'),
    ({ state }) => expect(state).toBe('ready'),
  )

  // The rows as the earlier version had them: a physical disk for the directory, and a replica on it.
  const { db } = before.controlPlane.database
  const disk = await db.selectFrom('disk').select(['id', 'time_created']).executeTakeFirstOrThrow()
  const sled = await db.selectFrom('sled').select('id').executeTakeFirstOrThrow()
  for (const table of ['disk', 'snapshot'] as const) {
    await db.updateTable(table).set({ storage_pool_id: null }).execute()
  }
  await db.deleteFrom('storage_pool_host').execute()
  await db.deleteFrom('storage_pool').execute()
  const physical = crypto.randomUUID()
  await db
    .insertInto('physical_disk')
    .values({
      id: physical,
      fleet_id: FLEET_ID,
      name: 'HOST-DISK',
      name_key: 'host-disk',
      sled_id: sled.id,
      vendor: 'host',
      model: 'file system',
      form_factor: 'u2',
      slot: 0,
      size: 10 * size,
      used: size,
      reclaimable: 0,
      policy: 'in_service',
      state: 'active',
      healthy: 1,
      time_created: disk.time_created,
      time_modified: disk.time_created,
    })
    .execute()
  await db
    .insertInto('disk_replica')
    .values({ disk_id: disk.id, physical_disk_id: physical, size, state: 'ready' })
    .execute()
  await before.stop()

  const { call } = await start()
  const { items } = await call<{ items: Wire.StoragePool[] }>('GET', '/x/v1/system/storage-pools')
  expect(items).toMatchObject([
    { name: 'default', type: 'directory', state: 'healthy', disks: 1, provisioned: size },
  ])
  const storage = await call<Wire.DiskStorage>('GET', '/x/v1/disks/grain/storage?project=work')
  expect(storage).toMatchObject({ pool: { name: 'default' }, move: null })
  const disks = await call<Wire.PhysicalDiskResultsPage>('GET', '/v1/system/hardware/disks')
  expect(disks.items).toEqual([])
  // The room of a disk is given back once, and its snapshot still makes disks.
  await call('DELETE', '/v1/disks/grain?project=work')
  const [pool] = (await call<{ items: Wire.StoragePool[] }>('GET', '/x/v1/system/storage-pools'))
    .items
  expect(pool).toMatchObject({ disks: 0, provisioned: 0 })
  const { id: snapshot_id } = await call<Wire.Snapshot>('GET', '/v1/snapshots/harvest?project=work')
  await call('POST', '/v1/disks?project=work', {
    ...blankDisk('again'),
    disk_backend: { type: 'distributed', disk_source: { type: 'snapshot', snapshot_id } },
  })
  await until(
    () => call<Wire.Disk>('GET', '/v1/disks/again?project=work'),
    ({ state }) => expect(state.state).toBe('detached'),
  )
})
