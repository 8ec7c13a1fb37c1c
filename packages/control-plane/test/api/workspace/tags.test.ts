/** Tags of resources of all kinds: who may see and change them, limits, and their end. */
import { randomUUID } from 'node:crypto'
import type { Wire } from '@steading/api'
import {
  errors,
  jobMessages,
  parseTag,
  TAG_FILTER_MAX,
  TAG_KEY_MAX,
  TAG_VALUE_MAX,
  tagMessages,
  TAGS_MAX,
} from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeDeleted } from '../../../src/purge.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { done, outcomes, start } from '../../support/jobs.ts'
import { projectRow, diskRow, storeRows } from '../../support/many.ts'
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

const createDisk = async (name: string) =>
  (await server.admin.call('disk_create', { ...inMill, body: blankDisk(name) })).id
const disk = (thing: string) => ({ params: { kind: 'disk' as const, thing } })

test('tags are set, replaced and removed, in the order of their keys', async () => {
  const at = disk(await createDisk('sacks'))
  const { admin } = server
  const change = (body: object) => admin.call('tags_change', { ...at, body })
  expect(await change({ set: ['owner:Müller', 'env:prod', 'old'] })).toEqual({
    tags: ['env:prod', 'old', 'owner:Müller'],
    modifiable: true,
  })
  await change({ set: ['env:test'], remove: ['old', 'owner:someone else'] })
  expect((await admin.call('tags_view', at)).tags).toEqual(['env:test', 'owner:Müller'])
  await change({ remove: ['owner:Müller'] })
  expect((await admin.call('tags_replace', { ...at, body: { tags: ['b', 'a:1'] } })).tags).toEqual([
    'a:1',
    'b',
  ])
})

test('two writers both get their tags, and a replacement of old tags is refused', async () => {
  const at = disk(await createDisk('shared'))
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      server.admin.call('tags_change', { ...at, body: { set: [`n${index}:x`] } }),
    ),
  )
  expect((await server.admin.call('tags_view', at)).tags).toHaveLength(8)
  const path = `/x/v1/tags/disk/${at.params.thing}`
  const tag = (await server.admin.send('GET', path)).headers.get('etag')!
  await server.admin.call('tags_change', { ...at, body: { remove: ['n0'] } })
  const replace = (header: string) =>
    server.admin.send('PUT', path, { body: { tags: ['mine'] }, headers: { 'if-match': header } })
  expect((await replace(tag)).status).toBe(412)
  const now = (await server.admin.send('GET', path)).headers.get('etag')!
  expect((await replace(now)).status).toBe(200)
})

describe('refused are', () => {
  let at: ReturnType<typeof disk>
  beforeAll(async () => {
    at = disk(await createDisk('refusing'))
  })
  const refused = async (body: object) => {
    const { status, message } = await server.admin.refusal('tags_change', { ...at, body })
    expect(status).toBe(400)
    return message
  }

  test.each([
    [''],
    [':value'],
    ['env:'],
    ['a,b'],
    ['a b'],
    ['-env'],
    ['env:a,b'],
    ['env: a'],
    ['env:a\nb'],
    ['<script>:x'],
    ['k'.repeat(TAG_KEY_MAX + 1)],
    [`env:${'v'.repeat(TAG_VALUE_MAX + 1)}`],
    ['env:\u202e'],
  ])('%j as a tag', async (tag) => {
    expect(await refused({ set: [tag] })).toMatch(/tag/)
  })

  test('contradictions, and nothing at all', async () => {
    expect(await refused({ set: ['a:1', 'a:2'] })).toBe('tag "a" is given twice')
    expect(await refused({ set: ['a:1'], remove: ['a'] })).toBe('tag "a" is both set and removed')
    expect(await refused({})).toBe('nothing to set or to remove')
  })

  test('more tags than a resource may have', async () => {
    const set = Array.from({ length: TAGS_MAX }, (_, index) => `t${index}`)
    await server.admin.call('tags_change', { ...at, body: { set } })
    expect(await refused({ set: ['more'] })).toBe(`a resource may have at most ${TAGS_MAX} tags`)
    const longest = `t0:${'ü'.repeat(TAG_VALUE_MAX)}`
    await server.admin.call('tags_change', { ...at, body: { set: [longest] } })
  })

  test('filters of too many tags, and of none', async () => {
    const filtered = (tag: string) =>
      server.admin.refusal('disk_search', { query: { project: 'mill', tag } })
    const many = Array.from({ length: TAG_FILTER_MAX + 1 }, (_, index) => `t${index}`)
    expect(await filtered(many.join())).toMatchObject({ status: 400 })
    expect(await filtered('a,,b')).toMatchObject({ status: 400 })
  })
})

test('who may read a resource sees its tags, and who may modify it changes them', async () => {
  const at = disk(await createDisk('guarded'))
  const body = { set: ['env:prod'] }
  await server.admin.call('tags_change', { ...at, body })
  const viewer = await server.createUser('viewer', { projects: { [mill]: 'viewer' } })
  const collaborator = await server.createUser('helper', {
    projects: { [mill]: 'limited_collaborator' },
  })
  const stranger = await server.createUser('stranger')
  expect(await viewer.caller.call('tags_view', at)).toEqual({
    tags: ['env:prod'],
    modifiable: false,
  })
  expect(await viewer.caller.refusal('tags_change', { ...at, body })).toMatchObject({ status: 403 })
  expect(await collaborator.caller.call('tags_change', { ...at, body })).toEqual({
    tags: ['env:prod'],
    modifiable: true,
  })
  for (const call of ['tags_view', 'tags_change'] as const) {
    expect(await stranger.caller.refusal(call, { ...at, body })).toMatchObject({ status: 404 })
  }
  const wrong = { params: { kind: 'snapshot' as const, thing: at.params.thing } }
  expect(await server.admin.refusal('tags_view', wrong)).toMatchObject({ status: 404 })
  const key = await stranger.caller.call('current_user_ssh_key_create', {
    body: { name: 'laptop', description: '', public_key: 'ssh-ed25519 AAAA stranger' },
  })
  const own = { params: { kind: 'ssh_key' as const, thing: key.id } }
  await stranger.caller.call('tags_change', { ...own, body })
  expect(await viewer.caller.refusal('tags_view', own)).toMatchObject({ status: 404 })
  const used = await stranger.caller.call('tag_list', { query: { scope: 'user' } })
  expect(used.items).toEqual([{ tag: 'env:prod', count: 1 }])
})

test('changes are audited, with the resource as their target', async () => {
  const at = disk(await createDisk('audited'))
  await server.admin.call('tags_change', { ...at, body: { set: ['env:prod'] } })
  const viewer = await server.createUser('peeker', { projects: { [mill]: 'viewer' } })
  await viewer.caller.refusal('tags_change', { ...at, body: { set: ['env:prod'] } })
  const { items } = await server.admin.call('history_list', {
    query: { kind: 'disk', id: at.params.thing, sort_by: 'time_and_id_descending' },
  })
  expect(
    items.map(({ operation_id, result, target }) => [operation_id, result.kind, target]),
  ).toEqual(
    expect.arrayContaining([
      ['tags_change', 'error', expect.objectContaining({ kind: 'disk', name: 'audited' })],
      ['tags_change', 'success', expect.objectContaining({ kind: 'disk', name: 'audited' })],
    ]),
  )
})

test('tags in use are found by their beginning', async () => {
  const tagged = async (name: string, tags: string[]) => {
    const id = await createDisk(name)
    await server.admin.call('tags_replace', { ...disk(id), body: { tags } })
  }
  await tagged('first', ['zone', 'zones:2', 'zoo:1'])
  await tagged('second', ['zone:1', 'zones'])
  await tagged('third', ['zone:1', 'zone-x'])
  const found = async (search: string) =>
    (await server.admin.call('tag_list', { query: { project: 'mill', search } })).items.map(
      ({ tag, count }) => `${tag} ${count}`,
    )
  const zones = ['zone 1', 'zone:1 2', 'zone-x 1', 'zones 1', 'zones:2 1']
  expect(await found('zon')).toEqual(zones)
  expect(await found('zone')).toEqual(zones)
  expect(await found('zo')).toEqual([...zones, 'zoo:1 1'])
  expect(await found('zone:')).toEqual(['zone:1 2'])
  expect(await found('zones:2')).toEqual(['zones:2 1'])
  expect(await found('zone:2')).toEqual([])
  expect(await found('zz')).toEqual([])
})

test('the end of a resource ends its tags, also without an event', async () => {
  const ids = [await createDisk('ending'), await createDisk('staying')]
  for (const id of ids) {
    await server.admin.call('tags_change', { ...disk(id), body: { set: ['life:short'] } })
  }
  const used = async () =>
    (await server.admin.call('tag_list', { query: { project: 'mill', search: 'life' } })).items
  expect(await used()).toEqual([{ tag: 'life:short', count: 2 }])
  await server.admin.call('disk_delete', { params: { disk: ids[0]! } })
  expect(await used()).toEqual([{ tag: 'life:short', count: 1 }])
  await server.db
    .updateTable('disk')
    .set({ time_deleted: new Date().toISOString() })
    .where('id', '=', ids[1]!)
    .execute()
  await purgeDeleted(server.db, new Date(0).toISOString(), () => true)
  expect(await used()).toEqual([])
  const left = server.db.selectFrom('tag').select('thing_id').where('thing_id', 'in', ids)
  expect(await left.execute()).toEqual([])
})

test('an image keeps its tags and its note where it is promoted', async () => {
  const source = await createDisk('source')
  const snapshot = await server.admin.call('snapshot_create', {
    ...inMill,
    body: { name: 'source', description: '', disk: source },
  })
  const image = await server.admin.call('image_create', {
    ...inMill,
    body: {
      name: 'base',
      description: '',
      os: 'debian',
      version: '13',
      source: { type: 'snapshot', id: snapshot.id },
    },
  })
  const before = { params: { kind: 'image' as const, thing: image.id } }
  await server.admin.call('tags_change', { ...before, body: { set: ['golden'] } })
  await server.admin.call('note_replace', { ...before, body: { text: 'Built *daily*' } })
  await server.admin.call('image_promote', { params: { image: image.id } })
  const after = { params: { kind: 'silo_image' as const, thing: image.id } }
  expect((await server.admin.call('tags_view', after)).tags).toEqual(['golden'])
  expect((await server.admin.call('note_view', after)).text).toBe('Built *daily*')
  const { items } = await server.admin.call('image_search', { query: { tag: 'golden' } })
  expect(items.map(({ id }) => id)).toEqual([image.id])
})

test('lists are filtered by tags, and answer the tags of their items', async () => {
  const project = projectRow(server.siloId, 'lists')
  await storeRows(server.db, 'project', [project])
  const disks = Array.from({ length: 60 }, (_, index) =>
    diskRow(project.id, `d-${String(index).padStart(2, '0')}`),
  )
  await storeRows(server.db, 'disk', disks)
  const tagsFor = (index: number) => [
    index % 2 ? 'env:test' : 'env:prod',
    ...(index % 3 ? [] : ['team:web']),
    ...(index % 5 ? [] : ['env5']),
  ]
  const place = { kind: 'disk' as const, parent_id: project.id, project_id: project.id }
  const tags = disks.flatMap(({ id: thing_id }, index) =>
    tagsFor(index).map((tag) => ({
      thing_id,
      ...place,
      silo_id: server.siloId,
      ...parseTag(tag),
    })),
  )
  await storeRows(server.db, 'tag', tags)
  const search = (query: object) =>
    server.admin.call('disk_search', { query: { project: project.id, ...query } })
  const expected = (tags: string[]) =>
    disks
      .filter((_, index) =>
        tags.every((tag) => tagsFor(index).some((has) => has === tag || parseTag(has).key === tag)),
      )
      .map(({ name }) => name)
  for (const tags of [['env:prod'], ['env'], ['env:prod', 'team:web'], ['env5', 'env', 'team']]) {
    const page = await search({ tag: tags.join(), sort_by: 'name_ascending', limit: 100 })
    expect(page.items.map(({ name }) => name)).toEqual(expected(tags))
    expect(page.total).toBe(expected(tags).length)
    expect(page.tags).toBeUndefined()
  }
  for (const [text, names] of [
    ['tag:env=prod', expected(['env:prod'])],
    ['tag:env:prod tag:team', expected(['env:prod', 'team'])],
    ['d-3 tag:env5', ['d-30', 'd-35']],
    ['tag:env=', expected(['env'])],
    ['tag:"env=no such"', []],
    ['tag:', []],
  ] as const) {
    const page = await search({ search: text, sort_by: 'name_ascending', limit: 100 })
    expect([text, page.items.map(({ name }) => name)]).toEqual([text, names])
  }
  const first = await search({ tag: 'team', with: 'tags', limit: 5, count_by: 'state' })
  expect(first.tags![disks[0]!.id]).toEqual(['env:prod', 'env5', 'team:web'])
  expect(first.counts).toEqual([{ word: 'detached', count: 20 }])
  const next = await server.admin.call('disk_search', {
    query: { page_token: first.next_page!, limit: 5 },
  })
  expect(next.items.map(({ name }) => name)).toEqual(expected(['team']).slice(5, 10))
})

test('pages of many tagged resources, wherever these are in the list @long', async () => {
  const project = projectRow(server.siloId, 'many')
  await storeRows(server.db, 'project', [project])
  const COUNT = 40_000
  const disks = Array.from({ length: COUNT }, (_, index) =>
    diskRow(project.id, `d-${String(index).padStart(5, '0')}`),
  )
  await storeRows(server.db, 'disk', disks)
  const place = { kind: 'disk' as const, parent_id: project.id, project_id: project.id }
  /** Tag → index of the first disk with it; all later ones have it as well. */
  const since = { all: 0, third: COUNT - 12_000, late: COUNT - 2_500, few: COUNT - 70 }
  for (const [key, first] of Object.entries(since)) {
    const tags = disks
      .slice(first)
      .map(({ id }) => ({ thing_id: id, ...place, silo_id: server.siloId, key, value: '' }))
    await storeRows(server.db, 'tag', tags)
  }
  for (const [tag, first] of Object.entries(since)) {
    const total = COUNT - first > 10_000 ? null : COUNT - first
    const names = disks.slice(first, first + 100).map(({ name }) => name)
    const query = { project: project.id, tag, limit: 50 }
    const one = await server.admin.call('disk_search', { query })
    const page_token = one.next_page!
    const two = await server.admin.call('disk_search', { query: { page_token, limit: 50 } })
    const found = [...one.items, ...two.items].map(({ name }) => name)
    expect([tag, one.total, two.total, found]).toEqual([tag, total, total, names])
    const sort_by = 'name_descending'
    const last = await server.admin.call('disk_search', { query: { ...query, sort_by } })
    expect(last.items[0]!.name).toBe(disks.at(-1)!.name)
  }
})

test('tags in use are those of readable resources', async () => {
  const silo = await server.createSilo('granary')
  const admin = await server.createUser('head', { silo: 'admin' }, silo)
  const names = ['north', 'south']
  const projects = names.map((name) => projectRow(silo, name))
  await storeRows(server.db, 'project', projects)
  for (const [index, { id, name }] of projects.entries()) {
    await admin.caller.call('tags_change', {
      params: { kind: 'project', thing: id },
      body: { set: ['cost:1', `at:${name}`, ...(index ? ['zone:b'] : [])] },
    })
  }
  const member = await server.createUser(
    'hand',
    { projects: { [projects[0]!.id]: 'viewer' } },
    silo,
  )
  const listed = async (who: typeof admin, query = {}) =>
    (await who.caller.call('tag_list', { query })).items.map(({ tag, count }) => [tag, count])
  expect(await listed(admin)).toEqual([
    ['at:north', 1],
    ['at:south', 1],
    ['cost:1', 2],
    ['zone:b', 1],
  ])
  expect(await listed(member)).toEqual([
    ['at:north', 1],
    ['cost:1', 1],
  ])
  expect(await listed(admin, { search: 'at:s' })).toEqual([['at:south', 1]])
  expect(await admin.caller.call('tag_list', { query: { limit: 2 } })).toMatchObject({
    items: [{ tag: 'at:north' }, { tag: 'at:south' }],
    more: true,
  })
  expect(await listed(member, { scope: 'system' })).toEqual([])
  const find = async (who: typeof admin, text: string) =>
    (await who.caller.call('find', { query: { text } })).items.map(({ name, matched }) => [
      name,
      matched,
    ])
  expect((await find(admin, 'tag:cost=1')).sort()).toEqual([
    ['north', 'tag'],
    ['south', 'tag'],
  ])
  expect(await find(admin, 'tag:cost tag:zone=b')).toEqual([['south', 'tag']])
  expect(await find(member, 'tag:cost=1')).toEqual([['north', 'tag']])
  const other = { query: { project: projects[1]!.id } }
  expect(await member.caller.refusal('tag_list', other)).toMatchObject({ status: 404 })
})

test('resources of the system have tags, for operators', async () => {
  const { items } = await server.admin.call('sled_search', { query: {} })
  const params = { kind: 'sled' as const, thing: items[0]!.id }
  await server.admin.call('tags_change', { params, body: { set: ['row:b'] } })
  const found = await server.admin.call('sled_search', { query: { tag: 'row:b', with: 'tags' } })
  expect(found.tags).toEqual({ [params.thing]: ['row:b'] })
  const operator = await server.createUser('watch', { fleet: 'viewer' })
  const used = await operator.caller.call('tag_list', { query: { scope: 'system' } })
  expect(used.items).toEqual([{ tag: 'row:b', count: 1 }])
  const body = { set: ['row:c'] }
  expect(await operator.caller.refusal('tags_change', { params, body })).toMatchObject({
    status: 403,
  })
})

describe('a job', () => {
  const body = (target: Wire.JobTarget, tags: Wire.TagsChange | null, values: object = {}) => ({
    action: 'tag' as const,
    kind: 'disk' as const,
    project: 'mill',
    target,
    tags,
    ...values,
  })
  const tagsOfDisk = async (id: string) => (await server.admin.call('tags_view', disk(id))).tags

  test('tags the results of a search, and says which ones have too many', async () => {
    const { admin } = server
    const [one, two, full, other] = [
      await createDisk('bulk-one'),
      await createDisk('bulk-two'),
      await createDisk('bulk-full'),
      await createDisk('other'),
    ]
    await admin.call('tags_change', { ...disk(one), body: { set: ['env:test', 'old', 'keep'] } })
    const many = Array.from({ length: TAGS_MAX }, (_, index) => `n${index}`)
    await admin.call('tags_replace', { ...disk(full), body: { tags: many } })
    const tags = { set: ['env:prod'], remove: ['old'] }
    const job = await admin.call('job_create', {
      body: body({ type: 'matching', query: { search: 'bulk-' } }, tags),
    })
    expect(job).toMatchObject({ action: 'tag', targets: 3, tags })
    await start(admin, job)
    expect(await done(admin, job)).toMatchObject({ tags, counts: { succeeded: 2, failed: 1 } })
    expect(await outcomes(admin, job)).toContain(`tag bulk-full: failed, ${tagMessages.tooMany}`)
    expect(await tagsOfDisk(one)).toEqual(['env:prod', 'keep'])
    expect(await tagsOfDisk(two)).toEqual(['env:prod'])
    expect(await tagsOfDisk(full)).toHaveLength(TAGS_MAX)
    expect(await tagsOfDisk(other)).toEqual([])
    // The history of each resource has the change.
    const { items } = await admin.call('history_list', { query: { kind: 'disk', id: two } })
    expect(items.map(({ operation_id }) => operation_id)).toContain('tags_change')
  })

  test('tags images of the silo', async () => {
    const { items } = await server.admin.call('image_search', { query: {} })
    const [image] = items
    const job = await server.admin.call('job_create', {
      body: body(
        { type: 'ids', ids: [image!.id] },
        { set: ['silo'] },
        { kind: 'image', project: null },
      ),
    })
    await start(server.admin, job)
    expect((await done(server.admin, job)).counts.succeeded).toBe(1)
    const at = { params: { kind: 'silo_image' as const, thing: image!.id } }
    expect((await server.admin.call('tags_view', at)).tags).toContain('silo')
  })

  test('of a viewer has only refused items', async () => {
    const id = await createDisk('seen')
    const { caller: viewer } = await server.createUser('tag-viewer', {
      projects: { [mill]: 'viewer' },
    })
    const job = await viewer.call('job_create', {
      body: body({ type: 'ids', ids: [id] }, { set: ['mine'] }),
    })
    expect(await outcomes(viewer, job)).toEqual([
      `tag seen: refused, ${errors.forbidden().message}`,
    ])
  })

  test.each([
    ['without tags', null, {}, jobMessages.neededTo('tags', 'tag')],
    ['without changes', {}, {}, tagMessages.nothing],
    ['for another action', { set: ['a'] }, { action: 'delete' }, jobMessages.onlyTo('tags', 'tag')],
    ['twice', { set: ['a:1', 'a:2'] }, {}, tagMessages.twice('a')],
  ])('is refused %s', async (_case, tags, values, message) => {
    const target = { type: 'ids' as const, ids: [await createDisk(`refused-${randomUUID()}`)] }
    expect(
      await server.admin.refusal('job_create', { body: body(target, tags, values) }),
    ).toMatchObject({
      status: 400,
      message,
    })
  })
})
