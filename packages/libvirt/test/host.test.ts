/** The host as hardware of a rack. */
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { writeSetting } from '@steading/control-plane/engine'
import { expect, test, vi } from 'vitest'
import { createHost } from '../src/host.ts'
import { OWNER_KEY } from '../src/owner.ts'
import { createRows } from '../src/rows.ts'
import { openEngineDatabase } from './support/database.ts'
import { smallSpec } from './support/open-engines.ts'

test('a rack has this host before anything is started', async () => {
  const { data, database } = await openEngineDatabase()
  const { hardware, serial } = createHost({ database }, join(data, 'libvirt'), {
    cpuOvercommit: 3,
    directory: join(data, 'libvirt'),
  })
  const look = async () => (await hardware.inventory()).sleds
  const [sled, ...others] = await look()
  expect(others).toEqual([])
  expect(sled).toMatchObject({
    serial,
    usableThreads: 3 * availableParallelism(),
    responding: true,
    id: undefined,
  })
  // Some of the memory is left to the host.
  expect(sled!.usableRam).toBeGreaterThan(totalmem() / 2)
  expect(sled!.usableRam).toBeLessThan(totalmem())
  // Its volumes are in storage pools.
  expect(sled!.disks).toEqual([])
  const changed = vi.fn<() => void>()
  hardware.subscribe(changed)
  await look()
  expect(changed).not.toHaveBeenCalled()
  await hardware.adopt(sled!, 'an id')
  expect((await look())[0]!.id).toBe('an id')
  await hardware.release(sled!)
  expect((await look())[0]!.id).toBeUndefined()
})

test('a second host is refused with the reason, unless its database was restored from a backup', async () => {
  const { data, database } = await openEngineDatabase()
  const { db } = database
  const open = () =>
    createHost({ database }, join(data, 'libvirt'), {
      cpuOvercommit: 1,
      directory: join(data, 'libvirt'),
    }).hardware
  await open().inventory()
  await db.updateTable('libvirt_host').set({ serial: 'HOST-A' }).execute()
  await expect(open().inventory()).rejects.toThrow(
    /^this host is HOST-\w+, and a server on the host HOST-A uses this database: .* one host only/,
  )
  expect(await db.selectFrom('libvirt_host').select('serial').execute()).toHaveLength(1)
  await db.updateTable('libvirt_host').set({ seen: 0 }).execute()
  await createRows(database).insert(crypto.randomUUID(), 'HOST-A', smallSpec([]), 0)
  await expect(open().inventory()).rejects.toThrow('this database has machines on the host HOST-A')
  // The database was restored from a backup of another data directory.
  await database.transaction((tx) => writeSetting(tx, OWNER_KEY, 'another'))
  const cubbies = (await open().inventory()).sleds.map(({ cubby }) => cubby)
  expect(cubbies).toEqual([0, 1])
})
