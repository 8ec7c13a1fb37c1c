/** Files of volumes stay open between writes; none of them may be left to the garbage collector. */
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { BlockStore } from '@steading/control-plane/ports'
import { expect, test } from 'vitest'
import { fileBlockStore } from '../src/volumes/file-block-store.ts'
import { temporaryDirectory } from './support/process.ts'

/** Files below a directory opened by this process. */
function openBelow(directory: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(join('/proc/self/fd', descriptor))
      return path.startsWith(directory) ? path.slice(directory.length) : []
    } catch {
      return []
    }
  })
}

const data = Buffer.from('grain')

/** Concurrent writes. Refused ones must not leave open files either. */
const writes = (store: BlockStore, id: string, count: number) =>
  Array.from({ length: count }, (_, index) => store.write(id, index * 4096, data).catch(() => {}))

test('writes racing with removals and closing leave no file open', async () => {
  const root = temporaryDirectory()
  const store = fileBlockStore(root)
  await store.open()
  for (let round = 0; round < 20; round++) {
    const id = `volume-${round}`
    const before = writes(store, id, 3)
    const removed = store.remove(id)
    await Promise.all([...before, ...writes(store, id, 3), removed])
  }
  const last = writes(store, 'last', 3)
  const closed = store.close()
  await Promise.all([...last, ...writes(store, 'last', 3), closed])
  expect(openBelow(root)).toEqual([])
})

test('a closed store accepts no writes until it is opened again', async () => {
  const root = temporaryDirectory()
  const store = fileBlockStore(root)
  await store.open()
  await store.close()
  await expect(store.write('volume', 0, data)).rejects.toThrow('the store is closed')
  await store.open()
  await store.write('volume', 0, data)
  await store.close()
  expect(openBelow(root)).toEqual([])
})

test('concurrent writes continue after another server has sealed the volume', async () => {
  const root = temporaryDirectory()
  const [mine, theirs] = [fileBlockStore(root), fileBlockStore(root)]
  for (const store of [mine, theirs]) await store.open()
  for (let round = 0; round < 10; round++) {
    const id = `volume-${round}`
    await mine.write(id, 0, data)
    await theirs.seal(id)
    await Promise.all(writes(mine, id, 5))
    const extents = [0, 1, 2, 3, 4].map((at) => ({ offset: at * 4096, length: data.length }))
    expect(await theirs.written(id)).toEqual(extents)
    expect(await mine.written(id)).toEqual(extents)
    // The checksums of the sealed volume are computed meanwhile.
    expect(openBelow(root).filter((path) => path.endsWith('/written'))).toEqual([])
  }
  for (const store of [mine, theirs]) await store.close()
  expect(openBelow(root)).toEqual([])
})
