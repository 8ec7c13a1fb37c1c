/** The quota of a silo with many concurrent calls: never exceeded, and nothing lost. */
import { GiB } from '@steading/api/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { blankDisk } from '../support/things.ts'

const CLIENTS = 30
const ROOM = 11

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.admin.call('project_create', { body: { name: 'web', description: '' } })
  await server.db
    .updateTable('silo')
    .set({ quota_storage: ROOM * GiB })
    .execute()
})
afterAll(() => server.close())

const used = async () =>
  (await server.db.selectFrom('silo').select('used_storage').executeTakeFirstOrThrow()).used_storage

const send = async (method: string, path: string, body?: object): Promise<number> => {
  const response = await server.admin.fetch(`${path}?project=web`, {
    method,
    body: body && JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  await response.arrayBuffer()
  return response.status
}

const count = (statuses: number[]) =>
  Object.fromEntries([...new Set(statuses)].map((s) => [s, statuses.filter((t) => t === s).length]))

test('creates as many disks as fit, and refuses the others', async () => {
  const create = (_: unknown, index: number) =>
    send('POST', '/v1/disks', { ...blankDisk(`disk-${index}`), size: GiB })
  const statuses = await Promise.all(Array.from({ length: CLIENTS }, create))
  expect(count(statuses)).toEqual({ 201: ROOM, 507: CLIENTS - ROOM })
  expect(await used()).toBe(ROOM * GiB)
})

test('releases a disk once that many calls delete at once', async () => {
  const { items } = await server.admin.call('disk_list', { query: { project: 'web' } })
  expect(items).toHaveLength(ROOM)
  const statuses = await Promise.all(
    items.flatMap(({ name }) => [1, 2, 3].map(() => send('DELETE', `/v1/disks/${name}`))),
  )
  expect(count(statuses)[204]).toBe(ROOM)
  // It was already deleted, or deleted at that moment.
  expect(statuses.filter((status) => ![204, 404, 409].includes(status))).toEqual([])
  expect(await used()).toBe(0)
})

test('serves fifty clients that create and delete, with the right sum', async () => {
  const work = async (client: number): Promise<number[]> => {
    const statuses: number[] = []
    for (let round = 0; round < 4; round++) {
      const name = `c${client}-${round}`
      const created = await send('POST', '/v1/disks', { ...blankDisk(name), size: GiB })
      statuses.push(created)
      if (created !== 201) continue
      // On a busy machine its disk may still be in state `creating`.
      let deleted = 400
      while (deleted === 400) deleted = await send('DELETE', `/v1/disks/${name}`)
      statuses.push(deleted)
    }
    return statuses
  }
  const statuses = (await Promise.all(Array.from({ length: 50 }, (_, i) => work(i)))).flat()
  expect(Object.keys(count(statuses)).filter((s) => !['201', '204', '507'].includes(s))).toEqual([])
  const { items } = await server.admin.call('disk_list', { query: { project: 'web' } })
  expect(await used()).toBe(items.reduce((sum, { size }) => sum + size, 0))
})
