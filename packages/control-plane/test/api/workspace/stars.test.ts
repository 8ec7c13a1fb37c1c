/** Stars of users: private, and only on readable things. */
import { STARS_MAX } from '@steading/api/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { diskRow, storeRows } from '../../support/many.ts'
import { blankDisk } from '../../support/things.ts'

let server: TestServer
let mill: string
const inMill = { query: { project: 'mill' } }
beforeAll(async () => {
  server = await startTestServer()
  await server.admin.call('project_create', { body: { name: 'mill', description: '' } })
  mill = (await server.admin.call('project_view', { params: { project: 'mill' } })).id
})
afterAll(() => server.close())

test('things are starred and listed, the newest first', async () => {
  const { caller } = await server.createUser('fan', { projects: { [mill]: 'viewer' } })
  const list = async () => (await caller.call('star_list')).items.map(({ name }) => name)
  const disk = await server.admin.call('disk_create', { ...inMill, body: blankDisk('sacks') })
  const star = { kind: 'disk', id: disk.id } as const
  expect(await caller.call('star_create', { body: star })).toEqual({
    ...star,
    name: 'sacks',
    project_id: mill,
    project_name: 'mill',
    inside: [],
  })
  await caller.call('star_create', { body: { kind: 'project', id: mill } })
  await caller.call('star_create', { body: star })
  expect(await list()).toEqual(['mill', 'sacks'])
  // The lists of other users do not have it.
  expect((await server.admin.call('star_list')).items).toEqual([])
  await caller.call('star_delete', { params: { thing: mill } })
  expect(await caller.refusal('star_delete', { params: { thing: mill } })).toMatchObject({
    status: 404,
  })
  await server.admin.call('disk_delete', { params: { disk: disk.id } })
  expect(await list()).toEqual([])
})

test('an unreadable thing cannot be starred, and its star disappears with the role', async () => {
  const fan = await server.createUser('second', { projects: { [mill]: 'viewer' } })
  const stranger = await server.createUser('third')
  const body = { kind: 'project', id: mill } as const
  expect(await stranger.caller.refusal('star_create', { body })).toMatchObject({ status: 404 })
  const wrongKind = { kind: 'disk', id: mill } as const
  expect(await fan.caller.refusal('star_create', { body: wrongKind })).toMatchObject({
    status: 404,
  })
  await fan.caller.call('star_create', { body })
  await server.db.deleteFrom('role_assignment').where('identity_id', '=', fan.id).execute()
  await expect.poll(async () => (await fan.caller.call('star_list')).items).toEqual([])
})

test('there is a limit, which does not count stars of deleted things', async () => {
  const { caller } = await server.createUser('collector', { silo: 'viewer' })
  const disks = Array.from({ length: STARS_MAX + 1 }, (_, index) => diskRow(mill, `d-${index}`))
  await storeRows(server.db, 'disk', disks)
  const [last, ...others] = disks.map(({ id }) => ({ kind: 'disk', id }) as const)
  for (const body of others) await caller.call('star_create', { body })
  expect(await caller.refusal('star_create', { body: last! })).toMatchObject({
    status: 400,
    message: `at most ${STARS_MAX} things can be starred`,
  })
  await server.db
    .updateTable('disk')
    .set({ time_deleted: new Date().toISOString() })
    .where('id', '=', others[0]!.id)
    .execute()
  await caller.call('star_create', { body: last! })
  expect((await caller.call('star_list')).items).toHaveLength(STARS_MAX)
})
