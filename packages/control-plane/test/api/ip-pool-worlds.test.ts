/**
 * Random pools: ranges are added and removed, addresses taken and given back, silos linked and
 * unlinked. A list of the addresses in use predicts the answer of each call.
 */
import type { Wire } from '@steading/api'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { long } from '../support/long.ts'

let server: TestServer
let admin: Caller
const ADDRESSES = 24

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterAll(() => server.close())

let made = 0
const fresh = () => `thing-${made++}`

/** A network for each world, so that ranges of different worlds do not conflict. */
let worlds = 0
interface World {
  pool: string
  host: (number: number) => string
}
async function makeWorld(): Promise<World> {
  const number = worlds++
  const { id } = await admin.call('system_ip_pool_create', {
    body: { name: fresh(), description: '' },
  })
  await admin.call('system_ip_pool_silo_link', {
    params: { pool: id },
    body: { silo: 'main', is_default: false },
  })
  return { pool: id, host: (host) => `198.${18 + (number >> 8)}.${number & 255}.${host}` }
}

const address = fc.integer({ min: 0, max: ADDRESSES - 1 })
const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), first: address, length: fc.nat({ max: 7 }) }),
  fc.record({ do: fc.constant('remove' as const), index: fc.nat() }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
  fc.record({ do: fc.constant('takeThis' as const), address }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('giveBack' as const), index: fc.nat() }) },
  fc.record({ do: fc.constant('unlink' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const rangeOf = ({ host }: World, first: number, last: number): Wire.IpRange => ({
  first: host(first),
  last: host(last),
})
const take = (allocator: Wire.AddressAllocator) =>
  admin.send('POST', '/v1/floating-ips?project=work', {
    body: { name: fresh(), description: '', address_allocator: allocator },
  })
const ofPool = (pool: string): Wire.AddressAllocator => ({
  type: 'auto',
  pool_selector: { type: 'explicit', pool },
})
const changeRange = (pool: string, verb: 'add' | 'remove', body: Wire.IpRange) =>
  admin.send('POST', `/v1/system/ip-pools/${pool}/ranges/${verb}`, { body })
const giveBack = (id: string) => admin.send('DELETE', `/v1/floating-ips/${id}`)

/** Compares the pool's own figures with its rows. */
async function expectExact(pool: string, capacity: number, inUse: number): Promise<void> {
  expect(await admin.call('system_ip_pool_utilization_view', { params: { pool } })).toMatchObject({
    capacity,
    remaining: capacity - inUse,
    ipv4: { capacity, allocated: inUse },
  })
}

test('answers sequential calls as predicted by a list of the addresses', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps: Step[]) => {
      const world = await makeWorld()
      const { pool, host } = world
      let ranges: [first: number, last: number][] = []
      const used = new Map<number, string>()
      const isIn = (number: number) =>
        ranges.some(([first, last]) => first <= number && number <= last)
      const free = () =>
        Array.from({ length: ADDRESSES }, (_, number) => number).filter(
          (number) => isIn(number) && !used.has(number),
        )
      const took = (number: number, { body }: { body: unknown }) => {
        const { id, ip } = body as Wire.FloatingIp
        expect(ip).toBe(host(number))
        used.set(number, id)
      }
      for (const one of steps) {
        switch (one.do) {
          case 'add': {
            const last = Math.min(one.first + one.length, ADDRESSES - 1)
            const overlaps = ranges.some(([first, end]) => first <= last && one.first <= end)
            const { status } = await changeRange(pool, 'add', rangeOf(world, one.first, last))
            expect(status).toBe(overlaps ? 400 : 201)
            if (!overlaps) ranges.push([one.first, last])
            break
          }
          case 'remove': {
            if (ranges.length === 0) break
            const range = ranges[one.index % ranges.length]!
            const [first, last] = range
            const inUse = [...used.keys()].some((number) => first <= number && number <= last)
            const { status } = await changeRange(pool, 'remove', rangeOf(world, first, last))
            expect(status).toBe(inUse ? 400 : 204)
            if (!inUse) ranges = ranges.filter((each) => each !== range)
            break
          }
          case 'take': {
            const [lowest] = free()
            const answer = await take(ofPool(pool))
            expect(answer.status).toBe(lowest === undefined ? 507 : 201)
            if (lowest !== undefined) took(lowest, answer)
            break
          }
          case 'takeThis': {
            const isFree = free().includes(one.address)
            const answer = await take({ type: 'explicit', ip: host(one.address) })
            expect(answer.status).toBe(isFree ? 201 : 400)
            if (isFree) took(one.address, answer)
            break
          }
          case 'giveBack': {
            const [number, id] = [...used][one.index % Math.max(used.size, 1)] ?? []
            if (id === undefined) break
            expect((await giveBack(id)).status).toBe(204)
            used.delete(number!)
            break
          }
          case 'unlink': {
            const path = `/v1/system/ip-pools/${pool}/silos/main`
            const { status } = await admin.send('DELETE', path)
            expect(status).toBe(used.size > 0 ? 400 : 204)
            if (status === 400) break
            expect((await take(ofPool(pool))).status).toBe(404)
            await admin.call('system_ip_pool_silo_link', {
              params: { pool },
              body: { silo: 'main', is_default: false },
            })
          }
        }
        const capacity = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)
        await expectExact(pool, capacity, used.size)
      }
    }),
    { numRuns: long ? 12 : 4 },
  )
})

test('gives no address twice and loses none, with many calls at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps: Step[]) => {
      const world = await makeWorld()
      const { pool, host } = world
      await changeRange(pool, 'add', rangeOf(world, 0, 7))
      const before = await Promise.all([take(ofPool(pool)), take(ofPool(pool))])
      const ids = before.map(({ body }) => (body as Wire.FloatingIp).id)
      const calls = steps.map((one) => {
        switch (one.do) {
          case 'add': {
            const last = Math.min(one.first + one.length, ADDRESSES - 1)
            return changeRange(pool, 'add', rangeOf(world, one.first, last))
          }
          case 'remove':
            return changeRange(pool, 'remove', rangeOf(world, 0, 7))
          case 'take':
            return take(ofPool(pool))
          case 'takeThis':
            return take({ type: 'explicit', ip: host(one.address) })
          case 'giveBack':
            return giveBack(ids[one.index % ids.length]!)
          case 'unlink':
            return admin.send('DELETE', `/v1/system/ip-pools/${pool}/silos/main`)
        }
      })
      const answers = await Promise.all(calls)
      expect(answers.filter(({ status }) => status >= 500 && status !== 507)).toEqual([])

      const rows = await server.db
        .selectFrom('external_ip')
        .select(['ip', 'ip_key'])
        .where('ip_pool_id', '=', pool)
        .execute()
      const ranges = await server.db
        .selectFrom('ip_pool_range')
        .select(['first_key', 'last_key'])
        .where('ip_pool_id', '=', pool)
        .orderBy('first_key')
        .execute()
      expect(new Set(rows.map(({ ip }) => ip)).size).toBe(rows.length)
      for (const { ip_key } of rows) {
        const around = ranges.filter((one) => one.first_key <= ip_key && ip_key <= one.last_key)
        expect(around).toHaveLength(1)
      }
      const { items } = await admin.call('system_ip_pool_silo_list', { params: { pool } })
      if (rows.length > 0) expect(items).toHaveLength(1)
      const capacity = ranges.reduce(
        (sum, one) => sum + parseInt(one.last_key, 16) - parseInt(one.first_key, 16) + 1,
        0,
      )
      await expectExact(pool, capacity, rows.length)
      // Exactly the free addresses can still be taken.
      if (items.length === 0) return
      for (let left = capacity - rows.length; left > 0; left--) {
        expect((await take(ofPool(pool))).status).toBe(201)
      }
      expect((await take(ofPool(pool))).status).toBe(507)
      await expectExact(pool, capacity, capacity)
    }),
    { numRuns: long ? 8 : 3 },
  )
})
