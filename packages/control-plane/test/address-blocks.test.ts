/** Free blocks of networks, compared with a list of the networks in use. */
import { formatNetwork, lastAddress, type Network, parseNetwork } from '@steading/api/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite } from '../../node/src/sqlite.ts'
import type { OpenDatabase } from '../src/kernel/db/database.ts'
import { openDatabase } from '../src/open-database.ts'
import {
  addBlocks,
  type Block,
  giveBackBlock,
  takeBlock,
  takeLowestBlock,
} from '../src/resources/networking/addresses/blocks.ts'
import { addressKey } from '../src/resources/networking/addresses/keys.ts'
import { closeSpace } from '../src/resources/networking/addresses/space.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openDatabase(openSqlite(':memory:'))
})
afterAll(() => database.close())

/** Spaces of both versions, at the end of the address space and in the middle of it. */
const spaces = ['255.255.255.0/24', '198.51.100.64/26', '2001:db8::f000/116', '0.0.0.0/0', '::/0']
/** Up to this many bits longer than the space. */
const DEPTH = 6

const blockOf = (network: Network): Block => ({
  first_key: addressKey(network),
  prefix_length: network.width,
})
const overlap = (a: Network, b: Network) =>
  a.value <= lastAddress(b).value && b.value <= lastAddress(a).value

/** The networks of a length in a space, in the order of their addresses. */
function networksIn(space: Network, width: number): Network[] {
  const bits = space.version === 'v4' ? 32 : 128
  const step = 1n << BigInt(bits - width)
  return Array.from({ length: 2 ** (width - space.width) }, (_, i) => ({
    ...space,
    width,
    value: space.value + BigInt(i) * step,
  }))
}

const depth = fc.nat({ max: DEPTH })
const step = fc.oneof(
  fc.record({ kind: fc.constant('lowest' as const), depth }),
  fc.record({ kind: fc.constant('take' as const), depth, index: fc.nat() }),
  fc.record({ kind: fc.constant('give' as const), index: fc.nat() }),
)

test('frees exactly the networks that are not in use, after any takes and returns', async () => {
  const { db } = database
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...spaces),
      fc.array(step, { maxLength: 40 }),
      async (text, steps) => {
        const space = parseNetwork(text)!
        const used: Network[] = []
        const isFree = (network: Network) => !used.some((one) => overlap(one, network))
        await closeSpace(db, 'space')
        await addBlocks(db, 'space', blockOf(space))
        for (const one of steps) {
          if (one.kind === 'lowest') {
            const width = space.width + one.depth
            const expected = networksIn(space, width).find(isFree)
            expect(await takeLowestBlock(db, 'space', width)).toEqual(expected && blockOf(expected))
            if (expected) used.push(expected)
          } else if (one.kind === 'take') {
            const all = networksIn(space, space.width + one.depth)
            const network = all[one.index % all.length]!
            const free = isFree(network)
            expect(await takeBlock(db, 'space', blockOf(network)), formatNetwork(network)).toBe(
              free,
            )
            if (free) used.push(network)
          } else if (used.length > 0) {
            const [network] = used.splice(one.index % used.length, 1)
            await giveBackBlock(db, 'space', blockOf(network!), space.width)
          }
        }
        // The remaining blocks are exactly the networks that still fit.
        const left = networksIn(space, space.width + DEPTH).filter(isFree)
        for (const network of left) {
          expect(await takeLowestBlock(db, 'space', network.width)).toEqual(blockOf(network))
        }
        expect(await takeLowestBlock(db, 'space', space.width + DEPTH)).toBeUndefined()
      },
    ),
    { numRuns: 100 },
  )
})

test('merges all taken networks into one block, returned in any order', async () => {
  const { db } = database
  const whole = blockOf(parseNetwork('10.0.0.0/24')!)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 24, max: 30 }), { minLength: 1, maxLength: 30 }),
      fc.infiniteStream(fc.nat()),
      async (widths, order) => {
        await closeSpace(db, 'space')
        await addBlocks(db, 'space', whole)
        const taken: Block[] = []
        for (const width of widths) {
          const block = await takeLowestBlock(db, 'space', width)
          if (block) taken.push(block)
        }
        while (taken.length > 0) {
          const [block] = taken.splice(order.next().value! % taken.length, 1)
          await giveBackBlock(db, 'space', block!, whole.prefix_length)
        }
        const rows = await db.selectFrom('free_block').selectAll().execute()
        expect(rows).toEqual([{ space_id: 'space', ...whole }])
      },
    ),
    { numRuns: 60 },
  )
})
