/** The bytes of volumes: in files as the Node host keeps them, and in memory as the demo does. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BlockStore, memoryBlockStore } from '@steading/control-plane'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileBlockStore } from '../src/volumes/file-block-store.ts'
import { GroupSync } from '../src/volumes/group-sync.ts'
import { SEGMENT_BYTES } from '../src/volumes/volume.ts'
import { temporaryDirectory } from './support/process.ts'

const bytes = async (store: BlockStore, id: string, offset: number, length: number) =>
  Buffer.from(await store.read(id, offset, length))

const stores: [string, () => BlockStore][] = [
  ['in files', () => fileBlockStore(join(temporaryDirectory(), 'volumes'))],
  ['in memory', memoryBlockStore],
]

describe.each(stores)('%s', (_, make) => {
  async function open(): Promise<BlockStore> {
    const store = make()
    await store.open()
    return store
  }

  test('a volume is what was written to it, whatever is written and copied', async () => {
    const store = await open()
    let count = 0
    const write = fc.record({
      volume: fc.nat(3),
      offset: fc.nat(200_000),
      data: fc.oneof(fc.uint8Array({ maxLength: 3000 }), fc.constant(new Uint8Array(1000))),
    })
    const copy = fc.record({ from: fc.nat(3), to: fc.nat(3) })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(write, copy), { maxLength: 30 }), async (steps) => {
        const run = count++
        const model = new Map<string, Buffer>()
        for (const step of steps) {
          if ('data' in step) {
            const id = `${run}-${step.volume}`
            const volume = model.get(id) ?? Buffer.alloc(210_000)
            volume.set(step.data, step.offset)
            model.set(id, volume)
            await store.write(id, step.offset, step.data)
          } else {
            const [from, to] = [`${run}-${step.from}`, `${run}-${step.to}`]
            const source = model.get(from)
            const copied = await store.copy(from, to)
            expect(copied).toBe(model.has(to) || source !== undefined)
            if (source && !model.has(to)) model.set(to, Buffer.from(source))
          }
        }
        for (const [id, volume] of model) {
          expect(volume.equals(await bytes(store, id, 0, volume.length))).toBe(true)
        }
      }),
      { numRuns: 20 },
    )
    await store.close()
  })

  test('bytes cross the ends of files', async () => {
    const store = await open()
    const data = randomBytes(300_000)
    const at = SEGMENT_BYTES - 100_000
    await store.write('a', at, data)
    expect(data.equals(await bytes(store, 'a', at, data.length))).toBe(true)
    expect(await store.written('a')).toEqual([{ offset: at, length: data.length }])
    await store.close()
  })

  test('what is removed is gone, and its copies stay', async () => {
    const store = await open()
    const data = randomBytes(512)
    await store.write('a', 0, data)
    await store.copy('a', 'b')
    await store.remove('a')
    await store.remove('a')
    expect(await store.list()).toEqual(['b'])
    expect(await bytes(store, 'a', 0, 4)).toEqual(Buffer.alloc(4))
    expect(data.equals(await bytes(store, 'b', 0, 512))).toBe(true)
    await store.close()
  })

  test('a volume nobody wrote to has nothing to copy', async () => {
    const store = await open()
    expect(await store.copy('a', 'b')).toBe(false)
    expect(await store.list()).toEqual([])
  })
})

describe('files', () => {
  test('are there after a restart, with what was acknowledged, without what was cut off', async () => {
    const root = join(temporaryDirectory(), 'volumes')
    const data = randomBytes(1024)
    const first = fileBlockStore(root)
    await first.open()
    await first.write('a', 512, data)
    mkdirSync(join(root, '.copy-b'))
    mkdirSync(join(root, '.gone-c'))
    // Part of an entry, as a full disk leaves it.
    writeFileSync(join(root, 'a', 'written'), Buffer.alloc(7), { flag: 'a' })
    const second = fileBlockStore(root)
    await second.open()
    expect(readdirSync(root)).toEqual(['a'])
    await second.write('a', 4096, data)
    expect(await second.written('a')).toEqual([
      { offset: 512, length: 1024 },
      { offset: 4096, length: 1024 },
    ])
    expect(data.equals(await bytes(second, 'a', 512, 1024))).toBe(true)
    await second.seal('a')
    expect(await second.written('a')).toEqual([])
    expect(data.equals(await bytes(second, 'a', 4096, 1024))).toBe(true)
    await second.close()
    await first.close()
  })

  test('are sparse, and shared by copies', async () => {
    const root = join(temporaryDirectory(), 'volumes')
    const store = fileBlockStore(root)
    await store.open()
    await store.write('a', 50 * 2 ** 20, randomBytes(4096))
    await store.write('a', 10 * SEGMENT_BYTES, Buffer.alloc(4096))
    await store.copy('a', 'b')
    expect(readdirSync(join(root, 'b'))).toEqual(['000000'])
    const file = (id: string) => statSync(join(root, id, '000000'))
    expect(file('a').blocks * 512).toBeLessThan(2 ** 20)
    expect(file('a').ino).toBe(file('b').ino)
    await store.write('b', 0, Buffer.from('own'))
    expect(file('a').ino).not.toBe(file('b').ino)
    expect(file('b').blocks * 512).toBeLessThan(2 ** 20)
    await store.close()
  })
})

test('a sync covers all that came before it began, and no more', async () => {
  const syncs: PromiseWithResolvers<void>[] = []
  const group = new GroupSync(() => {
    const sync = Promise.withResolvers<void>()
    syncs.push(sync)
    return sync.promise
  })
  const done: string[] = []
  const wait = (name: string) => group.done().then(() => done.push(name))
  const first = wait('first')
  const [second, third] = [wait('second'), wait('third')]
  expect(syncs).toHaveLength(1)
  syncs[0]!.resolve()
  await first
  expect(done).toEqual(['first'])
  await expect.poll(() => syncs.length).toBe(2)
  syncs[1]!.resolve()
  await Promise.all([second, third])
  expect(done).toEqual(['first', 'second', 'third'])
})
