/** Notes of resources, with their versions. */
import { NOTE_MAX, NOTE_VERSIONS_MAX } from '@steading/api/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { diskRow, storeRows } from '../../support/many.ts'

let server: TestServer
let mill: string
beforeAll(async () => {
  server = await startTestServer()
  await server.admin.call('project_create', { body: { name: 'mill', description: '' } })
  mill = (await server.admin.call('project_view', { params: { project: 'mill' } })).id
})
afterAll(() => server.close())

async function createDisk(name: string) {
  const row = diskRow(mill, name)
  await storeRows(server.db, 'disk', [row])
  return { params: { kind: 'disk' as const, thing: row.id } }
}

test('a note has versions, with their authors for callers who may see users', async () => {
  const at = await createDisk('sacks')
  const { admin } = server
  expect(await admin.call('note_view', at)).toEqual({
    text: '',
    version: 0,
    author: null,
    time_modified: null,
    modifiable: true,
  })
  const helper = await server.createUser('helper', {
    projects: { [mill]: 'limited_collaborator' },
  })
  await admin.call('note_replace', { ...at, body: { text: '# Grain\n' } })
  await helper.caller.call('note_replace', { ...at, body: { text: '# Flour\n' } })
  // The same text makes no version.
  await helper.caller.call('note_replace', { ...at, body: { text: '# Flour\n' } })
  const { items } = await admin.call('note_version_list', at)
  expect(items).toMatchObject([
    { version: 2, author: { id: helper.id, name: 'helper' }, length: 8 },
    { version: 1, author: { name: 'admin' }, length: 8 },
  ])
  const first = { params: { ...at.params, version: '1' } }
  expect((await helper.caller.call('note_version_view', first)).text).toBe('# Grain\n')
  const missing = { params: { ...at.params, version: '9' } }
  expect(await admin.refusal('note_version_view', missing)).toMatchObject({ status: 404 })
  await admin.call('note_replace', { ...at, body: { text: '' } })
  expect(await admin.call('note_view', at)).toMatchObject({ text: '', version: 3 })
})

test('a note is read and written with the permissions of its resource', async () => {
  const at = await createDisk('guarded')
  const body = { text: 'Ask first' }
  const viewer = await server.createUser('viewer', { projects: { [mill]: 'viewer' } })
  const stranger = await server.createUser('stranger')
  await server.admin.call('note_replace', { ...at, body })
  expect(await viewer.caller.call('note_view', at)).toMatchObject({ ...body, modifiable: false })
  expect(await viewer.caller.refusal('note_replace', { ...at, body })).toMatchObject({
    status: 403,
  })
  for (const call of ['note_view', 'note_replace', 'note_version_list'] as const) {
    expect(await stranger.caller.refusal(call, { ...at, body })).toMatchObject({ status: 404 })
  }
})

test('a change that is based on an old version is refused', async () => {
  const at = await createDisk('shared')
  const path = `/x/v1/notes/disk/${at.params.thing}`
  const tag = (await server.admin.send('GET', path)).headers.get('etag')!
  const write = (text: string) =>
    server.admin.send('PUT', path, { body: { text }, headers: { 'if-match': tag } })
  const answers = await Promise.all([write('mine'), write('yours')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
})

test('long notes are refused, and old versions make room', async () => {
  const at = await createDisk('long')
  const { admin } = server
  const write = (text: string) => admin.call('note_replace', { ...at, body: { text } })
  await write('x'.repeat(NOTE_MAX))
  const body = { text: 'x'.repeat(NOTE_MAX + 1) }
  expect(await admin.refusal('note_replace', { ...at, body })).toMatchObject({ status: 400 })
  const [written] = await server.db
    .selectFrom('note_version')
    .selectAll()
    .where('thing_id', '=', at.params.thing)
    .execute()
  const further = Array.from({ length: NOTE_VERSIONS_MAX - 1 }, (_, index) => ({
    ...written!,
    version: index + 2,
  }))
  await storeRows(server.db, 'note_version', further)
  await write('one more')
  await write('two more')
  const { items } = await admin.call('note_version_list', at)
  expect(items).toHaveLength(NOTE_VERSIONS_MAX)
  expect(items.at(-1)).toMatchObject({ version: 3 })
  await admin.call('disk_delete', { params: { disk: at.params.thing } })
  const left = server.db
    .selectFrom('note_version')
    .select('version')
    .where('thing_id', '=', at.params.thing)
  expect(await left.execute()).toEqual([])
})
