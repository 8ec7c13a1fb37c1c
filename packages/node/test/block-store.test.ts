/** Contents of volumes: in the Node host's files, and in the demo's memory. */
import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { memoryBlockStore } from '@steading/control-plane'
import type { BlockStore } from '@steading/control-plane/ports'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fileBlockStore } from '../src/volumes/file-block-store.ts'
import { GroupSync } from '../src/volumes/group-sync.ts'
import type { Step } from '../src/volumes/steps.ts'
import { SEGMENT_BYTES } from '../src/volumes/volume.ts'
import { temporaryDirectory } from './support/process.ts'
import { long } from '../../control-plane/test/support/long.ts'

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

  test('a volume reads back as written, after any writes and copies', async () => {
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
      { numRuns: long ? 20 : 5 },
    )
    await store.close()
  })

  test('reads and writes cross file boundaries', async () => {
    const store = await open()
    const data = randomBytes(300_000)
    const at = SEGMENT_BYTES - 100_000
    await store.write('a', at, data)
    expect(data.equals(await bytes(store, 'a', at, data.length))).toBe(true)
    expect(await store.written('a')).toEqual([{ offset: at, length: data.length }])
    await store.close()
  })

  test('a removed volume is gone, and its copies remain', async () => {
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

  test('a volume without writes has nothing to copy', async () => {
    const store = await open()
    expect(await store.copy('a', 'b')).toBe(false)
    expect(await store.list()).toEqual([])
  })
})

test('a store in memory is copied with what was written and shared', async () => {
  const store = memoryBlockStore()
  const data = randomBytes(300_000)
  await store.write('a', 100_000, data)
  await store.copy('a', 'b')
  const copy = memoryBlockStore(store.contents())
  await store.write('a', 0, randomBytes(512))
  expect(await copy.list()).toEqual(['a', 'b'])
  expect(await copy.written('a')).toEqual([{ offset: 100_000, length: data.length }])
  expect(await copy.written('b')).toEqual([])
  for (const id of ['a', 'b']) {
    expect(data.equals(await bytes(copy, id, 100_000, data.length))).toBe(true)
    expect(await bytes(copy, id, 0, 512)).toEqual(Buffer.alloc(512))
  }
})

describe('files', () => {
  test('survive a restart with acknowledged writes, and without unfinished ones', async () => {
    const root = join(temporaryDirectory(), 'volumes')
    const data = randomBytes(1024)
    const first = fileBlockStore(root)
    await first.open()
    await first.write('a', 512, data)
    mkdirSync(join(root, '.copy-b'))
    mkdirSync(join(root, '.gone-c'))
    // Part of an entry, as left by a full disk.
    writeFileSync(join(root, 'a', 'written'), Buffer.alloc(7), { flag: 'a' })
    const second = fileBlockStore(root)
    await second.open()
    expect(readdirSync(root)).toEqual(['.locks', 'a'])
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

  test('keep a short log of what was written, in any order and over many turns', async () => {
    const COUNT = 300
    const order = fc.shuffledSubarray([...Array(COUNT).keys()], { minLength: COUNT })
    const write = async (pieces: number[]) => {
      const root = join(temporaryDirectory(), 'volumes')
      const store = fileBlockStore(root)
      await store.open()
      for (const piece of pieces) {
        await store.write('a', piece * 16, Buffer.from('sixteen bytes ok'))
        const { length } = await store.written('a')
        // An entry for each extent, the spare ones, and the latest.
        expect(statSync(join(root, 'a', 'written')).size).toBeLessThanOrEqual(
          (2 * (length + 1) + 64 + 1) * 16,
        )
      }
      expect(await store.written('a')).toEqual([{ offset: 0, length: COUNT * 16 }])
      expect(readdirSync(join(root, 'a')).sort()).toEqual(['000000', 'written'])
      await store.close()
    }
    await fc.assert(fc.asyncProperty(order, write), { numRuns: 1, endOnFailure: true })
  })

  test('continue logs of earlier versions, and one whose replacement was interrupted', async () => {
    const root = join(temporaryDirectory(), 'volumes')
    const store = fileBlockStore(root)
    await store.open()
    await store.write('a', 0, randomBytes(512))
    const entries = readFileSync(join(root, 'a', 'written'))
    const moved = Buffer.from(entries)
    moved.writeBigUInt64LE(4096n, moved.length - 16)
    writeFileSync(join(root, 'a', 'written-of-a-process'), moved)
    writeFileSync(join(root, 'a', 'written.new'), entries.subarray(0, 5))
    const both = [
      { offset: 0, length: 512 },
      { offset: 4096, length: 512 },
    ]
    expect(await store.written('a')).toEqual(both)
    await store.write('a', 8192, randomBytes(512))
    expect(await store.written('a')).toEqual([...both, { offset: 8192, length: 512 }])
    expect(readdirSync(join(root, 'a')).sort()).toEqual(['000000', 'written'])
    await store.close()
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

describe('several processes on one directory', () => {
  /** As in two processes: each with its own state. */
  async function openMany(count: number): Promise<[BlockStore[], string]> {
    const root = join(temporaryDirectory(), 'volumes')
    const stores = Array.from({ length: count }, () => fileBlockStore(root))
    for (const store of stores) await store.open()
    onTestFinished(async () => {
      for (const store of stores) await store.close()
    })
    return [stores, root]
  }
  async function openTwo(): Promise<[BlockStore, BlockStore, string]> {
    const [[one, other], root] = await openMany(2)
    return [one!, other!, root]
  }
  const PIECE = 4096

  test('write concurrently to the same files', async () => {
    const [one, other] = await openTwo()
    const data = randomBytes(64 * PIECE)
    await Promise.all(
      Array.from({ length: 64 }, (_, i) =>
        (i % 2 === 0 ? one : other).write(
          'a',
          i * PIECE,
          data.subarray(i * PIECE, (i + 1) * PIECE),
        ),
      ),
    )
    for (const store of [one, other]) {
      expect(data.equals(await bytes(store, 'a', 0, data.length))).toBe(true)
      expect(await store.written('a')).toEqual([{ offset: 0, length: data.length }])
    }
    await other.seal('a')
    expect(await one.written('a')).toEqual([])
  })

  test('a copy by one keeps its contents, even if the other has the file open', async () => {
    const [one, other] = await openTwo()
    const [first, second] = [randomBytes(PIECE), randomBytes(PIECE)]
    await one.write('a', 0, first)
    await other.copy('a', 'b')
    await one.write('a', 0, second)
    for (const store of [one, other]) {
      expect(first.equals(await bytes(store, 'b', 0, PIECE))).toBe(true)
      expect(second.equals(await bytes(store, 'a', 0, PIECE))).toBe(true)
    }
  })

  test('many write concurrently to a volume with shared files, without losses', async () => {
    const [stores, root] = await openMany(4)
    for (let round = 0; round < 4; round++) {
      const [source, copy] = [`source-${round}`, `copy-${round}`]
      const before = randomBytes(PIECE)
      await stores[0]!.write(source, 0, before)
      await Promise.all(stores.map((store) => store.copy(source, copy)))
      const data = randomBytes(stores.length * PIECE)
      const piece = (i: number) => data.subarray(i * PIECE, (i + 1) * PIECE)
      await Promise.all(stores.map((store, i) => store.write(copy, (i + 1) * PIECE, piece(i))))
      for (const store of stores) {
        expect(before.equals(await bytes(store, source, 0, PIECE))).toBe(true)
        expect(before.equals(await bytes(store, copy, 0, PIECE))).toBe(true)
        expect(data.equals(await bytes(store, copy, PIECE, data.length))).toBe(true)
      }
      // A write that reached the file of the source would have made it longer.
      expect(statSync(join(root, source, '000000')).size).toBe(PIECE)
    }
  })

  test('a start removes what a crash has left, and waits for what others are making', async () => {
    const [, , root] = await openTwo()
    for (const name of ['.copy-a', '.copy-b.of-an-earlier-version', '.gone-c']) {
      mkdirSync(join(root, name))
    }
    const third = fileBlockStore(root)
    await third.open()
    expect(readdirSync(root)).toEqual(['.locks'])
    await third.close()
  })

  test('a process that always has work keeps no other out', async () => {
    const [one, other] = await openTwo()
    let isOver = false
    // Never idle: the next call begins before the former ends.
    const busy = [0, 1].map(async () => {
      while (!isOver) await one.write('a', 0, Buffer.from('busy'))
    })
    for (let round = 0; round < 3; round++) await other.write('a', PIECE, Buffer.from('other'))
    isOver = true
    await Promise.all(busy)
    expect(await bytes(one, 'a', PIECE, 5)).toEqual(Buffer.from('other'))
  })

  /**
   * Two stores: the first stops at a step, and the other then works until it is done or waits for
   * the first.
   */
  async function openInterrupted(step: Step, work: (other: BlockStore) => Promise<unknown>) {
    const root = join(temporaryDirectory(), 'volumes')
    const waits = Promise.withResolvers<void>()
    const other = fileBlockStore(root, (at) => (at === 'waiting' ? waits.resolve() : undefined))
    const interruption = Promise.withResolvers<unknown>()
    let isDue = true
    const one = fileBlockStore(root, async (at) => {
      if (at !== step || !isDue) return
      isDue = false
      const working = work(other)
      interruption.resolve(working)
      await Promise.race([waits.promise, working])
    })
    for (const store of [one, other]) await store.open()
    onTestFinished(async () => {
      for (const store of [one, other]) await store.close()
    })
    return { root, one, interruption: interruption.promise }
  }

  test('a write and the end of an import during the checksums of another process are no damage', async () => {
    const data = randomBytes(PIECE)
    const { root, one, interruption } = await openInterrupted('summing', async (store) => {
      await store.write('a', 0, data)
      await store.seal('a')
      // Its own checksums are there.
      await store.close()
    })
    await one.write('a', 0, randomBytes(2 * PIECE))
    await one.seal('a')
    await interruption
    await one.close()
    const store = fileBlockStore(root)
    await store.open()
    expect(data.equals(await bytes(store, 'a', 0, PIECE))).toBe(true)
    expect(await store.check('a', async () => {})).toEqual([])
    await store.close()
  })

  test('a write does not reach a copy that another makes of its file', async () => {
    let copied: Buffer | undefined
    const { one, interruption } = await openInterrupted('writing', async (store) => {
      await store.copy('a', 'b')
      copied = await bytes(store, 'b', 0, PIECE)
    })
    await one.write('a', 0, randomBytes(PIECE))
    await one.write('a', 0, randomBytes(PIECE))
    await interruption
    expect(copied!.equals(await bytes(one, 'b', 0, PIECE))).toBe(true)
  })
})

test('a sync covers exactly the writes before it', async () => {
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

describe('damage', () => {
  const BLOCK = 64 * 1024
  const unthrottled = async () => {}

  /** A store with a sealed volume of five blocks, with checksums. */
  async function sealed() {
    const root = join(temporaryDirectory(), 'volumes')
    const store = fileBlockStore(root)
    await store.open()
    onTestFinished(() => store.close())
    const data = randomBytes(5 * BLOCK - 100)
    await store.write('a', 0, data)
    await store.seal('a')
    expect(await store.check('a', unthrottled)).toEqual([])
    const flip = (at: number, id = 'a') => {
      const path = join(root, id, '000000')
      const bytes = readFileSync(path)
      bytes[at]! ^= 1
      writeFileSync(path, bytes)
    }
    const read = (offset: number, length: number, id = 'a') => bytes(store, id, offset, length)
    return { root, store, data, flip, read }
  }

  test('a flipped bit is found by reads and checks, also in copies', async () => {
    const { store, data, flip, read } = await sealed()
    await store.copy('a', 'b')
    flip(2 * BLOCK + 5)
    const damaged = { name: 'DamagedBytes', offset: 2 * BLOCK }
    for (const id of ['a', 'b']) {
      await expect(read(0, data.length, id)).rejects.toMatchObject(damaged)
      await expect(read(3 * BLOCK - 1, 1, id)).rejects.toMatchObject(damaged)
      expect(data.subarray(0, 2 * BLOCK).equals(await read(0, 2 * BLOCK, id))).toBe(true)
      const rest = data.subarray(3 * BLOCK)
      expect(rest.equals(await read(3 * BLOCK, rest.length, id))).toBe(true)
      expect(await store.check(id, unthrottled)).toEqual([{ offset: 2 * BLOCK, length: BLOCK }])
    }
    // Writes elsewhere do not affect it, and none hides it.
    await store.write('a', 0, randomBytes(100))
    await store.seal('a')
    expect(await store.check('a', unthrottled)).toHaveLength(1)
    await expect(store.write('a', 2 * BLOCK, new Uint8Array(BLOCK - 1))).rejects.toMatchObject(
      damaged,
    )
    const repaired = randomBytes(BLOCK)
    await store.write('a', 2 * BLOCK, repaired)
    expect(await store.check('a', unthrottled)).toEqual([])
    expect(repaired.equals(await read(2 * BLOCK, BLOCK))).toBe(true)
    expect(await store.check('b', unthrottled)).toHaveLength(1)
    // The new bytes get a checksum once the volume is no longer written to.
    await store.seal('a')
    expect(await store.check('a', unthrottled)).toEqual([])
    flip(2 * BLOCK + 6)
    expect(await store.check('a', unthrottled)).toHaveLength(1)
  })

  test('damage is found while another check adds missing checksums', async () => {
    const { store, flip } = await sealed()
    flip(2 * BLOCK + 5)
    // This clears the checksum of the first block.
    await store.write('a', 0, randomBytes(BLOCK))
    await store.seal('a')
    let pieces = 0
    const found = await store.check('a', async () => {
      if (pieces++ === 0) await store.check('a', unthrottled)
    })
    expect(found).toEqual([{ offset: 2 * BLOCK, length: BLOCK }])
  })

  test('a truncated or lost file is damage, not zeros', async () => {
    const { root, store, read } = await sealed()
    const path = join(root, 'a', '000000')
    truncateSync(path, BLOCK)
    expect(await store.check('a', unthrottled)).toEqual([{ offset: BLOCK, length: 4 * BLOCK }])
    rmSync(path)
    await expect(read(0, 1)).rejects.toMatchObject({ name: 'DamagedBytes', offset: 0 })
    expect(await store.check('a', unthrottled)).toEqual([{ offset: 0, length: 5 * BLOCK }])
  })

  test('volumes of earlier versions, or with damaged checksums, get new ones', async () => {
    const { root, store, flip, read } = await sealed()
    const sums = join(root, 'a', '000000.sums')
    for (const spoil of [() => rmSync(sums), () => writeFileSync(sums, 'STEADVS1 nonsense')]) {
      spoil()
      expect(await read(0, BLOCK)).toHaveLength(BLOCK)
      expect(await store.check('a', unthrottled)).toEqual([])
      flip(7)
      expect(await store.check('a', unthrottled)).toEqual([{ offset: 0, length: BLOCK }])
      flip(7)
      expect(await store.check('a', unthrottled)).toEqual([])
    }
  })

  test('a volume being written to has none, and a crash during a write raises no alarm', async () => {
    const { root, store, flip, read } = await sealed()
    await store.write('a', 10, randomBytes(10))
    // As if the process had died during the next write: the bytes are there, the checksum is not.
    flip(11)
    expect(await read(0, BLOCK)).toHaveLength(BLOCK)
    expect(await store.check('a', unthrottled)).toEqual([])
    expect(readdirSync(join(root, 'a')).sort()).toEqual(['000000', '000000.sums', 'written'])
    await store.write('b', 0, randomBytes(10))
    expect(await store.check('b', unthrottled)).toEqual([])
    expect(readdirSync(join(root, 'b')).sort()).toEqual(['000000', 'written'])
  })

  test('concurrent writes, copies and checks of several processes never look like damage', async () => {
    const root = join(temporaryDirectory(), 'volumes')
    const processes = [0, 1].map(() => fileBlockStore(root))
    for (const store of processes) await store.open()
    const step = fc.record({
      process: fc.nat(1),
      volume: fc.constantFrom('a', 'b'),
      action: fc.constantFrom('write', 'write', 'seal', 'check', 'read', 'copy'),
      offset: fc.nat(3 * BLOCK),
      length: fc.integer({ min: 1, max: 2 * BLOCK }),
    })
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        run++
        // Two at a time; a volume is sealed when all writes have ended.
        for (let at = 0; at < steps.length; at += 2) {
          const both = steps.slice(at, at + 2)
          if (both.some(({ action }) => action === 'seal')) both.pop()
          await Promise.all(
            both.map(async ({ process, volume, action, offset, length }) => {
              const store = processes[process]!
              const id = `${run}-${volume}`
              if (action === 'write') await store.write(id, offset, randomBytes(length))
              else if (action === 'read') await store.read(id, offset, length)
              else if (action === 'seal') await store.seal(id)
              else if (action === 'check') expect(await store.check(id, unthrottled)).toEqual([])
              else await store.copy(id, `${id}-copy`)
            }),
          )
        }
        for (const id of await processes[0]!.list()) {
          expect(await processes[0]!.check(id, unthrottled)).toEqual([])
        }
      }),
      { numRuns: long ? 15 : 4 },
    )
    for (const store of processes) await store.close()
  })
})
