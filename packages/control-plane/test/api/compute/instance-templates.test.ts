/** Templates of instances: what they store, what they refuse, and the instances made from them. */
import type { Wire } from '@steading/api'
import { GiB, INSTANCE_TEMPLATES_MAX, quotaMessages, templateMessages } from '@steading/api/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { templateBody, variable } from '../../support/templates.ts'
import { done, plan, runJob, start } from '../../support/jobs.ts'
import { detachedDisk, stoppedInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }
let projectId: string

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  const make = (name: string) => admin.call('project_create', { body: { name, description: '' } })
  projectId = (await make('work')).id
  await make('elsewhere')
})
afterAll(() => server.close())

let count = 0
const fresh = (word = 'it') => `${word}-${count++}`
type Variables = Wire.InstanceTemplateVariable[]
const create = (instance: object = {}, variables: Variables = [], at: object = { query }) =>
  admin.call('instance_template_create', {
    ...at,
    body: templateBody(fresh('template'), instance as Record<string, unknown>, variables),
  })
const refusedToCreate = (instance: object, variables: Variables = []) =>
  admin.refusal('instance_template_create', {
    query,
    body: templateBody(fresh(), instance as Record<string, unknown>, variables),
  })
type Use = Partial<Wire.InstanceTemplateUse> & { name: string }
const use = ({ id }: { id: string }, body: Use, caller = admin) =>
  caller.call('instance_template_use', { params: { instance_template: id }, body })
const refused = ({ id }: { id: string }, body: Use, caller = admin) =>
  caller.refusal('instance_template_use', { params: { instance_template: id }, body })
const disksOf = async (instance: string) =>
  (await admin.call('instance_disk_list', { params: { instance } })).items

const blank = { type: 'distributed', disk_source: { type: 'blank', block_size: 512 } }
const disk = (values: object = {}) => ({
  type: 'create',
  name: '${name}-data',
  description: '',
  size: GiB,
  disk_backend: blank,
  ...values,
})

test('creates an instance from the values of its variables, like any other', async () => {
  const image = await server.createImage(fresh('image'), projectId)
  const source = { type: 'image', image_id: { $variable: 'image' }, read_only: false }
  const template = await create(
    {
      ncpus: { $variable: 'cpus' },
      memory: { $variable: 'memory' },
      description: 'of ${team}',
      boot_disk: disk({
        name: '${name}-boot',
        size: 10 * GiB,
        disk_backend: { type: 'distributed', disk_source: source },
      }),
      user_data: { $text: '#!/bin/sh\necho ${team} $${HOME}\n' },
    },
    [
      variable('cpus', 'number', { default: 2, min: 1, max: 8 }),
      variable('memory', 'size', { choices: [GiB, 2 * GiB] }),
      variable('team', 'choice', { choices: ['red', 'blue'] }),
      variable('image', 'image'),
    ],
  )
  expect(template).toMatchObject({ project_id: projectId, variable_count: 4 })
  const name = fresh('made')
  const values = { memory: 2 * GiB, team: 'blue', image: image.name }
  const { items } = await use(template, { name, values })
  expect(items).toMatchObject([
    { name, error_code: null, instance: { ncpus: 2, memory: 2 * GiB, hostname: name } },
  ])
  const [made] = items
  expect(made!.instance!.description).toBe('of blue')
  expect(await disksOf(made!.instance!.id)).toMatchObject([
    { name: `${name}-boot`, image_id: image.id },
  ])
  const { user_data } = await server.db
    .selectFrom('instance')
    .select('user_data')
    .where('id', '=', made!.instance!.id)
    .executeTakeFirstOrThrow()
  expect(Buffer.from(user_data, 'base64').toString()).toBe('#!/bin/sh\necho blue ${HOME}\n')
  // The log of the call has both.
  const entry = await server.db
    .selectFrom('audit_log')
    .innerJoin('audit_log_thing as thing', 'thing.entry_id', 'audit_log.id')
    .select(['operation_id', 'target_id'])
    .where('thing.thing_id', '=', made!.instance!.id)
    .executeTakeFirst()
  expect(entry).toEqual({ operation_id: 'instance_template_use', target_id: template.id })
})

test('creates several with numbers, and reports those that are refused', async () => {
  const template = await create({ disks: [disk()] })
  const name = fresh('many')
  await stoppedInstance(admin, query, `${name}-2`)
  const { items } = await use(template, { name, count: 3 })
  expect(items.map(({ name: one, error_code }) => [one, error_code])).toEqual([
    [`${name}-1`, null],
    [`${name}-2`, 'ObjectAlreadyExists'],
    [`${name}-3`, null],
  ])
  expect(items[1]).toMatchObject({
    instance: null,
    message: `already exists: instance "${name}-2"`,
  })
  // The refused one left no disk behind.
  const { items: disks } = await admin.call('disk_list', { query: { ...query, limit: 1000 } })
  expect(disks.map((one) => one.name).filter((one) => one.startsWith(name))).toEqual([
    `${name}-1-data`,
    `${name}-3-data`,
  ])
})

test('a repeated call creates the missing ones only, and fails if there are none', async () => {
  const template = await create()
  const name = fresh('again')
  await use(template, { name, count: 2 })
  const { items } = await use(template, { name, count: 3 })
  expect(items.filter(({ instance }) => instance).map((one) => one.name)).toEqual([`${name}-3`])
  expect(await refused(template, { name, count: 3 })).toMatchObject({
    status: 400,
    error_code: 'ObjectAlreadyExists',
  })
  expect((await use(template, { name, first_number: 9 })).items[0]!.name).toBe(`${name}-9`)
})

test('refuses values that do not fit, and creates nothing', async () => {
  const template = await create({ ncpus: { $variable: 'cpus' } }, [
    variable('cpus', 'number', { min: 1, max: 8 }),
  ])
  const says = templateMessages
  const wrong: [Wire.InstanceTemplateUse['values'], string][] = [
    [{}, says.missing('cpus')],
    [{ cpus: 9 }, says.ofVariable('cpus', says.value.more(8))],
    [{ cpus: 'many' }, says.ofVariable('cpus', says.value.number)],
    [{ cpus: 1, other: 1 }, says.undeclared('other')],
  ]
  for (const [values, message] of wrong) {
    const refusal = await refused(template, { name: fresh(), values })
    expect(refusal).toMatchObject({ status: 400, error_code: 'InvalidValue' })
    expect(refusal.message).toContain(message)
  }
  expect(
    await refused(template, { name: 'x'.repeat(62), count: 2, values: { cpus: 1 } }),
  ).toMatchObject({ status: 400, message: expect.stringContaining('too long') as string })
})

test.each<[string, object, Variables, string]>([
  ['no processors', { ncpus: 'many' }, [], 'ncpus: invalid type'],
  ['no memory', { memory: 1 }, [], 'memory must be at least'],
  ['an unknown variable', { ncpus: { $variable: 'x' } }, [], templateMessages.unknown('x')],
  [
    'a type that does not fit',
    { ncpus: { $variable: 'x' } },
    [variable('x', 'text')],
    'ncpus: invalid type',
  ],
  [
    'a bound that does not fit',
    { ncpus: { $variable: 'x' } },
    [variable('x', 'number', { max: 70_000 })],
    'ncpus',
  ],
  [
    'a choice that does not fit',
    { boot_disk: disk({ name: { $variable: 'x' } }) },
    [variable('x', 'choice', { choices: ['good', 'Not good'] })],
    'boot_disk.name',
  ],
  [
    'a missing value that is needed',
    { ncpus: { $variable: 'x' } },
    [variable('x', 'number', { required: false })],
    'missing field `ncpus`',
  ],
])('refuses a template with %s', async (_, instance, variables, message) => {
  const refusal = await refusedToCreate(instance, variables)
  expect(refusal.status).toBe(400)
  expect(refusal.message).toContain(message)
})

test('names a thing that no longer exists as any call does', async () => {
  const gone = await detachedDisk(admin, query, fresh('gone'))
  const template = await create({ disks: [{ type: 'attach', name: gone.name }] })
  await admin.call('disk_delete', { params: { disk: gone.id } })
  expect(await refused(template, { name: fresh() })).toMatchObject({
    status: 404,
    message: `not found: disk with name "${gone.name}"`,
  })
  const byImage = await create(
    {
      boot_disk: disk({
        disk_backend: {
          type: 'distributed',
          disk_source: { type: 'image', image_id: { $variable: 'image' }, read_only: false },
        },
      }),
    },
    [variable('image', 'image')],
  )
  expect(await refused(byImage, { name: fresh(), values: { image: 'no-such' } })).toMatchObject({
    status: 404,
  })
})

test('changes one at a time: a stale version is refused', async () => {
  const template = await create({ ncpus: { $variable: 'cpus' } }, [
    variable('cpus', 'number', { default: 1 }),
  ])
  const params = { instance_template: template.id }
  const changed = await admin.call('instance_template_update', {
    params,
    body: {
      name: `${template.name}-new`,
      instance: { ...template.instance, ncpus: 4 },
      variables: [],
    },
  })
  expect(changed).toMatchObject({ variable_count: 0, instance: { ncpus: 4 } })
  // The instance and its variables are checked together.
  expect(
    await admin.refusal('instance_template_update', {
      params,
      body: { variables: template.variables },
    }),
  ).toMatchObject({ status: 400 })
  expect(await admin.call('instance_template_view', { params })).toEqual(changed)
})

test('a template of the silo serves every project, and is changed by few', async () => {
  const template = await create({}, [], {})
  expect(template.project_id).toBeNull()
  expect(await refused(template, { name: fresh() })).toMatchObject({
    status: 400,
    message: templateMessages.project,
  })
  const { caller } = await server.createUser(fresh('user'), {
    projects: { [projectId]: 'limited_collaborator' },
  })
  const name = fresh('by-user')
  const { items } = await use(template, { name, project: projectId }, caller)
  expect(items[0]!.instance).toMatchObject({ name, project_id: projectId })
  const params = { instance_template: template.name }
  expect(
    await caller.refusal('instance_template_update', { params, body: { description: 'x' } }),
  ).toMatchObject({ status: 403 })
  expect(await refused(template, { name: fresh(), project: 'elsewhere' }, caller)).toMatchObject({
    status: 404,
  })
  const { caller: viewer } = await server.createUser(fresh('viewer'), {
    projects: { [projectId]: 'viewer' },
  })
  expect(await refused(template, { name: fresh(), project: projectId }, viewer)).toMatchObject({
    status: 403,
  })
})

test('charges quotas for each instance, and leaves out those without room', async () => {
  const template = await create({ disks: [disk({ size: 2 * GiB })] })
  const { used_storage, quota_storage } = await server.db
    .selectFrom('silo')
    .select(['used_storage', 'quota_storage'])
    .where('id', '=', server.siloId)
    .executeTakeFirstOrThrow()
  const quota = (value: number) =>
    server.db
      .updateTable('silo')
      .set({ quota_storage: value })
      .where('id', '=', server.siloId)
      .execute()
  await quota(used_storage + 3 * GiB)
  try {
    const { items } = await use(template, { name: fresh('full'), count: 2 })
    expect(items.map(({ error_code }) => error_code)).toEqual([null, 'InsufficientCapacity'])
    expect(items[1]!.message).toContain(quotaMessages.storage)
  } finally {
    await quota(quota_storage)
  }
})

test('an instance is the beginning of a template, without its secrets', async () => {
  const name = fresh('source')
  const source = await stoppedInstance(admin, query, name, {
    description: 'pays ${cash}',
    user_data: Buffer.from('password: hunter2').toString('base64'),
    boot_disk: { ...disk(), name: `${name}-boot` },
    disks: [{ ...disk(), name: 'apart' }],
    network_interfaces: { type: 'default_dual_stack' },
  })
  const { instance } = await admin.call('instance_template_draft', {
    params: { instance: source.id },
  })
  expect(instance).not.toHaveProperty('user_data')
  expect(instance).toMatchObject({
    description: 'pays $${cash}',
    boot_disk: { name: '${name}-boot' },
    disks: [{ name: '${name}-apart' }],
    network_interfaces: { type: 'create' },
  })
  const template = await create({ ...instance, start: false })
  const copy = await use(template, { name: fresh('copy') })
  expect(copy.items[0]!.instance).toMatchObject({ description: 'pays ${cash}', memory: GiB })
})

test('ends with its project, and is found by its tags', async () => {
  const name = fresh('end')
  const { id } = await admin.call('project_create', { body: { name, description: '' } })
  const template = await create({}, [], { query: { project: id } })
  const params = { kind: 'instance_template', thing: template.id } as const
  await admin.call('tags_change', { params, body: { set: ['env:test'], remove: [] } })
  const found = { query: { project: id, tag: 'env:test' } }
  const { items } = await admin.call('instance_template_search', found)
  expect(items).toMatchObject([{ name: template.name, variable_count: 0 }])
  const target = { type: 'ids', ids: [id] } as const
  const body = { action: 'delete', kind: 'project', target, chain: true } as const
  const job = await admin.call('job_create', { body })
  await start(admin, job)
  await done(admin, job)
  expect(
    await admin.refusal('instance_template_view', { params: { instance_template: template.id } }),
  ).toMatchObject({ status: 404 })
})

test('those of the silo are deleted in bulk, by users who may', async () => {
  const ids = [(await create({}, [], {})).id, (await create({}, [], {})).id]
  const target = { type: 'ids', ids } as const
  const { caller } = await server.createUser(fresh('user'), { silo: 'limited_collaborator' })
  const kind = 'silo_instance_template'
  const refusals = await plan(caller, 'delete', kind, target, null)
  expect(refusals.counts).toMatchObject({ refused: 2 })
  const job = await runJob(admin, 'delete', kind, target, null)
  expect(job.counts).toMatchObject({ succeeded: 2 })
})

test('a project has a limited number', async () => {
  const { id } = await admin.call('project_create', {
    body: { name: fresh('full'), description: '' },
  })
  const template = await create({}, [], { query: { project: id } })
  const row = await server.db
    .selectFrom('instance_template')
    .selectAll()
    .where('id', '=', template.id)
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: INSTANCE_TEMPLATES_MAX - 1 }, (_, index) => ({
    ...row,
    id: crypto.randomUUID(),
    name: `t-${index}`,
    name_key: `t-${index}`,
  }))
  await server.db.insertInto('instance_template').values(rows).execute()
  expect(
    await admin.refusal('instance_template_create', {
      query: { project: id },
      body: templateBody('one-more'),
    }),
  ).toMatchObject({ status: 400, message: templateMessages.tooMany })
})
