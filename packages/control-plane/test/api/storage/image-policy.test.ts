/**
 * Who may use an image of the silo in a project: by a role on the silo, or as the image policy of
 * the silo says. Every operation that takes an image as a source is called by every kind of user,
 * under both policies.
 */
import { type Operation, type OperationId, operationTable, writesRows } from '@steading/api'
import { GiB, imageMessages, VARIABLE_KEY } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallArgs, type Caller, locationOf } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addPool, addSubnetPool } from '../../support/networks.ts'
import { templateBody, variable } from '../../support/templates.ts'
import {
  blankDisk,
  detachedDisk,
  siloBody,
  smallInstance,
  stoppedInstance,
} from '../../support/things.ts'

let server: TestServer
let admin: Caller
/** An image of the silo, and one of another project. */
let shared: { id: string; name: string }
let foreign: { id: string; name: string }
const query = { project: 'work' }
const project = { params: query }
let count = 0
const fresh = () => `thing-${count++}`

type User =
  | 'collaborator'
  | 'limited collaborator'
  | 'project token'
  | 'viewer'
  | 'member of another project'
  | 'nobody of the silo'
  | 'collaborator with a role on the silo'
  | 'user of another silo'
const callers = {} as Record<User, Caller>

const permit = (members_use_silo_images: boolean) =>
  admin.call('image_policy_update', { body: { members_use_silo_images } })

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  const create = (name: string) =>
    admin.call('project_create', { body: { name, description: '' } }).then(({ id }) => id)
  const [work, elsewhere] = [await create('work'), await create('elsewhere')]
  shared = await server.createImage('plan-9', null)
  foreign = await server.createImage('theirs', elsewhere)
  const user = async (grants: object, siloId?: string) =>
    (await server.createUser(fresh(), grants, siloId)).caller
  callers.collaborator = await user({ projects: { [work]: 'collaborator' } })
  callers['limited collaborator'] = await user({ projects: { [work]: 'limited_collaborator' } })
  callers.viewer = await user({ projects: { [work]: 'viewer' } })
  callers['member of another project'] = await user({ projects: { [elsewhere]: 'admin' } })
  callers['nobody of the silo'] = await user({})
  callers['collaborator with a role on the silo'] = await user({ silo: 'limited_collaborator' })
  const silo = await server.createSilo('other')
  callers['user of another silo'] = await user({ silo: 'admin' }, silo)
  // Its roles on the silo do not count.
  const { token } = await admin.call('current_user_access_token_create', {
    body: { name: 'ci', access: 'full', projects: [work] },
  })
  callers['project token'] = server.anonymous.withToken(token)
})
afterAll(() => server.close())

const backend = (image_id: string, read_only = false) => ({
  disk_backend: {
    type: 'distributed' as const,
    disk_source: { type: 'image' as const, image_id, read_only },
  },
})

const newDisk = (image: string) => ({
  type: 'create' as const,
  ...blankDisk(fresh(), backend(image)),
})

type Args = CallArgs<OperationId>
/** Arguments of a call that makes something in the project of an image. */
type Making = (image: { id: string; name: string }) => Args | Promise<Args>

const fromTemplate =
  (instance: (id: string) => object, value?: (image: { id: string; name: string }) => string) =>
  async (image: { id: string; name: string }) => {
    const { id } = await admin.call('instance_template_create', {
      query,
      body: templateBody(
        fresh(),
        { ...instance(image.id) },
        value ? [variable('image', 'image')] : [],
      ),
    })
    return {
      params: { instance_template: id },
      body: { name: fresh(), ...(value && { values: { image: value(image) } }) },
    }
  }
const asked = () => ({
  boot_disk: {
    type: 'create',
    name: '${name}-boot',
    description: '',
    size: GiB,
    disk_backend: {
      type: 'distributed',
      disk_source: { type: 'image', image_id: { [VARIABLE_KEY]: 'image' }, read_only: false },
    },
  },
})

/** Every operation that takes an image as a source, in all ways. */
const paths: Partial<Record<OperationId, Record<string, Making>>> = {
  disk_create: {
    writable: ({ id }) => ({ query, body: blankDisk(fresh(), backend(id)) }),
    'read only': ({ id }) => ({ query, body: blankDisk(fresh(), backend(id, true)) }),
  },
  storage_pool_disk_create: {
    writable: ({ id }) => ({
      params: { project: query.project, pool: 'default' },
      body: blankDisk(fresh(), backend(id)),
    }),
  },
  instance_create: {
    'as boot disk': ({ id }) => ({
      query,
      body: smallInstance(fresh(), { boot_disk: newDisk(id) }),
    }),
    'as another disk': ({ id }) => ({
      query,
      body: smallInstance(fresh(), { disks: [newDisk(id)] }),
    }),
  },
  storage_pool_instance_create: {
    'as boot disk': ({ id }) => ({
      params: { project: query.project },
      body: smallInstance(fresh(), { boot_disk: newDisk(id) }),
    }),
  },
  instance_clone: {
    'with a read-only disk': async ({ id }) => {
      const { name } = await detachedDisk(admin, query, fresh(), backend(id, true))
      const disks = [{ type: 'attach', name }]
      const { name: instance } = await stoppedInstance(admin, query, fresh(), { disks })
      return { params: { instance }, query, body: { name: fresh(), description: '', start: false } }
    },
  },
  instance_template_use: {
    'fixed in the template': fromTemplate((id) => ({ boot_disk: newDisk(id) })),
    'by name': fromTemplate(asked, ({ name }) => name),
    'by id': fromTemplate(asked, ({ id }) => id),
  },
}

const expectedOf = (isPermitted: boolean): Record<User, number> => ({
  collaborator: isPermitted ? 201 : 404,
  'limited collaborator': isPermitted ? 201 : 404,
  'project token': isPermitted ? 201 : 404,
  viewer: 403,
  'member of another project': 404,
  'nobody of the silo': 404,
  'collaborator with a role on the silo': 201,
  'user of another silo': 404,
})

const statusOf = async (user: User, id: OperationId, args: Args): Promise<number> =>
  (await callers[user].send(operationTable[id].method, locationOf(id, args), args as object)).status

const statuses = async (
  id: OperationId,
  args: () => Args | Promise<Args>,
): Promise<Record<string, number>> => {
  const found: Record<string, number> = {}
  for (const user of Object.keys(callers) as User[]) {
    found[user] = await statusOf(user, id, await args())
  }
  return found
}

test('all operations that make something of an image are tried here', () => {
  const making = (Object.entries(operationTable) as [OperationId, Operation][])
    .filter(
      ([, operation]) =>
        writesRows(operation) &&
        typeof operation.permission === 'object' &&
        (operation.permission as Partial<Record<string, string>>).silo_image === 'read',
    )
    .map(([id]) => id)
  expect(making.toSorted()).toEqual(Object.keys(paths).toSorted())
})

describe.each([
  ['permits members', true],
  ['permits nobody else', false],
] as const)('an image policy that %s', (_, isPermitted) => {
  beforeAll(() => permit(isPermitted))

  test.each(
    Object.entries(paths).flatMap(([id, ways]) =>
      Object.entries(ways).map(([way, args]) => [id as OperationId, way, args] as const),
    ),
  )('decides who may call %s %s', async (id, _way, args) => {
    expect(await statuses(id, () => args(shared))).toEqual(expectedOf(isPermitted))
  })

  test('decides who sees the images in a project', async () => {
    const readers = {
      ...expectedOf(isPermitted),
      'collaborator with a role on the silo': 200,
    }
    for (const user of ['collaborator', 'limited collaborator', 'project token', 'viewer'] as const)
      readers[user] = isPermitted ? 200 : 403
    const list = () => project
    expect(await statuses('project_silo_image_list', list)).toEqual(readers)
    const view = () => ({ params: { ...query, image: shared.name } })
    expect(await statuses('project_silo_image_view', view)).toEqual(readers)
    // Of boots, only the bytes tell whether there is a loader, so the refusal hides the image.
    const hidden = Object.fromEntries(
      Object.entries(readers).map(([user, status]) => [user, status === 403 ? 404 : status]),
    )
    const boots = () => ({ query: { ...query, type: 'image' as const, id: shared.id } })
    expect(await statuses('boot_source_view', boots)).toEqual(hidden)
  })

  test('changes no right on the images of the silo themselves', async () => {
    const member = callers['limited collaborator']
    expect(await member.refusal('image_list')).toMatchObject({ status: 403 })
    const image = { params: { image: shared.id } }
    for (const id of ['image_view', 'image_delete', 'image_deletion'] as const) {
      expect(await member.refusal(id, image), id).toMatchObject({ status: 404 })
    }
    const type = 'image' as const
    expect(await member.refusal('boot_source_view', { query: { type, id: shared.id } })).toEqual(
      expect.objectContaining({ status: 404 }),
    )
  })

  test('lets nobody use an image of another project', async () => {
    for (const [id, ways] of Object.entries(paths) as [OperationId, Record<string, Making>][]) {
      // A read-only disk of such an image is made of it before it moves.
      if (id === 'instance_clone') continue
      for (const [way, args] of Object.entries(ways)) {
        const own = await statusOf('collaborator', id, await args(foreign))
        expect(own, `${id} ${way}`).toBe(404)
        const seen = await statusOf('collaborator with a role on the silo', id, await args(foreign))
        expect(seen, `${id} ${way}`).toBe(way === 'by name' ? 404 : 400)
      }
    }
  })
})

test('the images of a project have no fields of other places, and come in pages', async () => {
  await permit(true)
  await server.createImage('plan-10', null)
  const { items, next_page } = await callers.viewer.call('project_silo_image_list', {
    ...project,
    query: { limit: 1 },
  })
  expect(items).toMatchObject([{ name: 'debian-13', project_id: null }])
  const rest = await callers.viewer.call('project_silo_image_list', {
    ...project,
    query: { page_token: next_page!, limit: 100 },
  })
  expect(rest.items.map(({ name }) => name)).toContain('plan-10')
  expect(await admin.call('image_list')).toMatchObject({ items: [...items, ...rest.items] })
})

test('an image of the project is used before one of the silo with the same name', async () => {
  await permit(true)
  const { id: projectId } = await admin.call('project_view', project)
  const own = await server.createImage('plan-9', projectId)
  const using = await paths.instance_template_use!['by name']!(shared)
  const made = await callers.collaborator.call('instance_template_use', using as never)
  const [instance] = made.items
  const { items } = await admin.call('instance_disk_list', {
    params: { instance: instance!.instance!.id },
  })
  expect(items).toMatchObject([{ image_id: own.id }])
})

test('the policy is on in new silos, read by all users and changed by administrators', async () => {
  await permit(true)
  const { id: silo } = await admin.call('silo_create', { body: siloBody('new') })
  const user = await server.createUser(fresh(), {}, silo)
  const theirs = await user.caller.call('image_policy_view')
  expect(theirs).toEqual({ silo_id: silo, members_use_silo_images: true })
  const refused = await user.caller.refusal('image_policy_update', {
    body: { members_use_silo_images: false },
  })
  expect(refused).toMatchObject({ status: 403 })
  const boss = await server.createUser(fresh(), { silo: 'admin' }, silo)
  await boss.caller.call('image_policy_update', { body: { members_use_silo_images: false } })
  expect(await admin.call('image_policy_view')).toMatchObject({ members_use_silo_images: true })
})

test('a refusal names the image policy', async () => {
  await permit(false)
  expect(await callers.collaborator.refusal('project_silo_image_list', project)).toMatchObject({
    status: 403,
    message: imageMessages.siloImagesRefused,
  })
})

test('members see the pools of the silo in their projects, as users of the silo do', async () => {
  const { siloId } = server
  await addPool(server.db, 'front', { first: '203.0.113.1', last: '203.0.113.9', siloId })
  await addPool(server.db, 'unlinked', { first: '203.0.113.11', last: '203.0.113.19' })
  await addSubnetPool(server.db, 'networks', ['2001:db8::/32'], { siloId })
  const { viewer } = callers
  expect(await viewer.refusal('ip_pool_list')).toMatchObject({ status: 403 })
  expect(await viewer.call('project_ip_pool_list', project)).toEqual(
    await admin.call('ip_pool_list'),
  )
  const six = { query: { ip_version: 'v6' as const } }
  expect(await viewer.call('project_ip_pool_list', { ...project, ...six })).toEqual(
    await admin.call('ip_pool_list', six),
  )
  expect(await viewer.call('project_subnet_pool_list', project)).toEqual(
    await admin.call('subnet_pool_list'),
  )
  const nobody = callers['nobody of the silo']
  expect(await nobody.refusal('project_ip_pool_list', project)).toMatchObject({ status: 404 })
})
