/** A storage pool whose file system does not answer holds up nothing else. */
import { readdir, stat } from 'node:fs/promises'
import { diskSilent, storagePoolProblems } from '@steading/api/rules'
import { expect, onTestFinished, test } from 'vitest'
import { silenceable, silenceMissing } from '../support/file-systems.ts'
import { bytesOf, layerFilesIn, plain, startVolumes, volumesMissing } from '../support/volumes.ts'

const missing = silenceMissing() ?? (await volumesMissing())
if (missing) console.warn(`The tests of silent storage pools are left out: ${missing}.`)

const spec = { size: 65_536, blockSize: 512 }

test.skipIf(missing)('a silent pool fails its calls, and the first pool goes on', async () => {
  const host = await startVolumes()
  onTestFinished(() => host.remove())
  const { volumes, data, directory } = host
  const { path, silence, answer } = await silenceable(data)
  const pool = crypto.randomUUID()
  await volumes.storagePools.add({ id: pool, path })
  const [first, kept, read, deleted] = Array.from({ length: 4 }, () => crypto.randomUUID())
  await volumes.create(first!, spec)
  for (const id of [kept!, read!, deleted!]) {
    await volumes.create(id, { ...spec, pool })
    await volumes.write(id, 0, bytesOf(1, 512))
  }

  silence()
  const silent = storagePoolProblems.silent(path)
  // More than a server has threads for files.
  const readings = Array.from({ length: 8 }, () => volumes.read(read!, 0, 512))
  const failures = Promise.allSettled([
    ...readings,
    volumes.write(kept!, 0, bytesOf(2, 512)),
    volumes.createSnapshot(crypto.randomUUID(), kept!),
  ])
  const created = volumes.create(crypto.randomUUID(), { ...spec, pool })
  const examined = volumes.storagePools.examine({ id: pool, path })
  // Without a thread, these would wait until the pool answers.
  await Promise.all(Array.from({ length: 8 }, () => stat(directory)))
  await volumes.write(first!, 0, bytesOf(3, 512))
  expect(plain(await volumes.read(first!, 0, 512))).toEqual(bytesOf(3, 512))
  expect((await examined).problem).toBe(silent)
  await expect(created).rejects.toThrow(silent)
  for (const outcome of await failures) {
    expect(outcome.status).toBe('rejected')
    const { reason } = outcome as PromiseRejectedResult
    expect([diskSilent, silent]).toContain((reason as Error).message)
  }
  // It is known to be silent now.
  await expect(volumes.read(kept!, 0, 512)).rejects.toThrow(diskSilent)
  await volumes.delete(deleted!)
  await volumes.write(first!, 0, bytesOf(4, 512))
  await volumes.create(crypto.randomUUID(), spec)

  answer()
  expect((await volumes.storagePools.examine({ id: pool, path })).problem).toBeUndefined()
  expect(plain(await volumes.read(kept!, 0, 512))).toEqual(bytesOf(1, 512))
  await volumes.storagePools.add({ id: pool, path })
  await volumes.settled()
  const layers = await host.database.db
    .selectFrom('libvirt_layer')
    .select('id')
    .where('pool_id', '=', pool)
    .where('made', '=', 1)
    .execute()
  expect(await layerFilesIn(path)).toEqual(layers.map(({ id }) => `${id}.qcow2`).toSorted())
  expect(await readdir(path)).toContain('token')
})
