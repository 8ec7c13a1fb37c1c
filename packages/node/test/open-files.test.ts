/** Files of volumes stay open between writes; none of them may be left to the garbage collector. */
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { BlockStore } from '@steading/control-plane/ports'
import { expect, test } from 'vitest'
import { fileBlockStore } from '../src/volumes/file-block-store.ts'
import { WrittenLog } from '../src/volumes/written-log.ts'
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

test.each([{ shared: false }, { shared: true }])(
  'writes racing with removals and closing leave no file open ($shared)',
  async (sharing) => {
    const root = temporaryDirectory()
    const store = fileBlockStore(root, sharing)
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
  },
)

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
  for (let round = 0; round < 30; round++) {
    const directory = temporaryDirectory()
    const mine = new WrittenLog(directory, '.mine')
    const write = async (offset: number) => {
      await mine.begin()
      await mine.add(offset, 10)
    }
    await write(0)
    await new WrittenLog(directory, '.theirs').remove()
    const staggered = async (offset: number) => {
      for (let turn = 0; turn < offset; turn += 10) await setImmediate()
      await write(offset)
    }
    await Promise.all([10, 20, 30, 40, 50].map(staggered))
    const found = await new WrittenLog(directory, '.theirs').extents()
    expect(found.list()).toEqual([{ offset: 10, length: 50 }])
    expect(openBelow(directory)).toHaveLength(1)
    await mine.close()
    expect(openBelow(directory)).toEqual([])
  }
})
