/** The directory of volumes belongs to one database. */
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { layerPaths } from '../../src/volumes/layer-files.ts'
import { bytesOf, plain, startVolumes, volumesMissing } from '../support/volumes.ts'

const missing = await volumesMissing()

describe.skipIf(missing)('the directory of volumes', () => {
  let home: string
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'steading-places-'))
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  /** Starts a server over a database of its own, or an earlier one. */
  const start = (directory: string, data = join(home, 'data')) =>
    startVolumes({ directory, sockets: join(home, 'sockets'), isChosen: true }, { data })
  async function made(name: string): Promise<string> {
    await mkdir(join(home, name), { recursive: true })
    return join(home, name)
  }

  test('is found by its token, also under another path', async () => {
    await made('data')
    const [disks, empty] = [await made('disks'), await made('empty')]
    const first = await start(disks)
    const id = crypto.randomUUID()
    await first.volumes.create(id, { size: 65_536, blockSize: 512 })
    await first.volumes.write(id, 0, bytesOf(1, 512))
    const [path] = await layerPaths(first.database.db, disks)
    expect(await readdir(disks)).toContain(basename(path!))
    await first.close()
    expect((await readdir(disks)).filter((name) => name.includes('probe'))).toEqual([])

    await expect(start(empty)).rejects.toThrow(
      `the disks of this database are not in ${empty}, but in ${disks}; mount their file system`,
    )
    expect(await readdir(empty)).toEqual([])
    const moved = join(home, 'mnt')
    await rename(disks, moved)
    const again = await start(moved)
    onTestFinished(() => again.close())
    expect(plain(await again.volumes.read(id, 0, 512))).toEqual(bytesOf(1, 512))
  })

  test('is refused if it has disks of another database', async () => {
    await made('data')
    await made('other')
    const disks = await made('disks')
    const first = await start(disks)
    await first.volumes.create(crypto.randomUUID(), { size: 65_536, blockSize: 512 })
    await first.close()
    const before = await readdir(disks)
    const other = join(home, 'other')
    await expect(start(disks, other)).rejects.toThrow('belong to another database')
    await rm(join(disks, 'token'))
    await expect(start(disks, other)).rejects.toThrow('belong to another database')
    expect((await readdir(disks)).toSorted()).toEqual(
      before.filter((name) => name !== 'token').toSorted(),
    )
  })
})
