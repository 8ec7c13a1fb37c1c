/** Control plane specification 4.1, 4.2 and 4.6: silos, their quotas, and their deletion. */
import type { Wire } from '@steading/api'
import { GiB } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findDangling } from '../../../src/kernel/db/references.ts'
import { tokenOf } from '../../support/devices.ts'
import { EventStream, eventsSettled } from '../../support/event-stream.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import {
  blankDisk,
  detachedDisk,
  siloBody,
  smallInstance,
  sshKeyBody,
} from '../../support/things.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let count = 0
const fresh = () => `silo-${count++}`
const create = (values: Partial<Wire.SiloCreate> = {}, name = fresh()) =>
  server.admin.call('silo_create', { body: siloBody(name, values) })
const refusal = (body: object) => server.admin.refusal('silo_create', { body })
/** A silo with its first admin. */
async function withAdmin(values: Partial<Wire.SiloCreate> = {}) {
  const silo = await create(values)
  const admin = await server.createUser('first', { silo: 'admin' }, silo.id)
  return { silo, admin, params: { silo: silo.name } }
}

describe('a new silo', () => {
  test('is created as requested', async () => {
    const wanted = {
      description: 'Research',
      identity_mode: 'saml_jit',
      mapped_fleet_roles: { admin: ['admin', 'viewer', 'viewer'], viewer: [] },
      admin_group_name: 'operators',
    } as const
    const silo = await create(wanted as never, 'labs')
    expect(silo).toEqual({
      id: silo.id,
      name: 'labs',
      description: 'Research',
      identity_mode: 'saml_jit',
      discoverable: true,
      mapped_fleet_roles: { admin: ['admin', 'viewer'] },
      admin_group_name: 'operators',
      time_created: silo.time_created,
      time_modified: silo.time_created,
    })
    expect(await server.admin.call('silo_view', { params: { silo: 'labs' } })).toEqual(silo)
    expect(await server.admin.call('silo_view', { params: { silo: silo.id } })).toEqual(silo)
    const { items } = await server.admin.call('silo_list')
    expect(items.filter(({ id }) => id === silo.id)).toEqual([silo])
  })

  test('has its quotas, all unused', async () => {
    const quotas = { cpus: 3, memory: 5 * GiB, storage: 7 * GiB }
    const silo = await create({ quotas })
    const params = { silo: silo.name }
    expect(await server.admin.call('silo_quotas_view', { params })).toEqual({
      silo_id: silo.id,
      ...quotas,
    })
    expect(await server.admin.call('silo_utilization_view', { params })).toEqual({
      silo_id: silo.id,
      silo_name: silo.name,
      provisioned: { cpus: 0, memory: 0, storage: 0 },
      allocated: quotas,
    })
  })

  test('is empty, and its instances can have addresses once a pool is linked', async () => {
    const { silo, admin } = await withAdmin()
    const { caller } = admin
    expect((await caller.call('project_list')).items).toEqual([])
    expect((await caller.call('image_list')).items).toEqual([])
    expect((await caller.call('ip_pool_list')).items).toEqual([])
    await server.admin.call('system_ip_pool_silo_link', {
      params: { pool: 'default' },
      body: { silo: silo.name, is_default: true },
    })
    expect((await caller.call('ip_pool_list')).items).toMatchObject([
      { name: 'default', is_default: true },
    ])
    await caller.call('project_create', { body: { name: 'web', description: '' } })
    const query = { project: 'web' }
    await caller.call('instance_create', { query, body: smallInstance('box') })
    const params = { instance: 'box' }
    const { items } = await caller.call('instance_external_ip_list', { params, query })
    expect(items).toMatchObject([{ kind: 'snat' }])
  })

  const adminsOf = async (silo: string) =>
    (await server.admin.call('silo_policy_view', { params: { silo } })).role_assignments

  test.each(['local_only', 'saml_jit'] as const)(
    'has the group of its admins, if identities are %s',
    async (identity_mode) => {
      const silo = await create({ identity_mode, admin_group_name: 'The Admins' })
      const [assignment, ...others] = await adminsOf(silo.name)
      expect(others).toEqual([])
      expect(assignment).toMatchObject({ identity_type: 'silo_group', role_name: 'admin' })
      const member = await server.createUser('member', {}, silo.id)
      const group = assignment!.identity_id
      await server.db
        .insertInto('silo_group_membership')
        .values({ group_id: group, user_id: member.id })
        .execute()
      const params = { group_id: group }
      expect(await member.caller.call('group_view', { params })).toMatchObject({
        display_name: 'The Admins',
      })
      expect(await member.caller.call('current_user_view')).toMatchObject({ silo_admin: true })
    },
  )

  test('waits for SCIM to create the group of its admins', async () => {
    const silo = await create({ identity_mode: 'saml_scim', admin_group_name: 'admins' })
    expect(silo.admin_group_name).toBe('admins')
    expect(await adminsOf(silo.name)).toEqual([])
    const reader = await server.createUser('reader', {}, silo.id)
    expect((await reader.caller.call('group_list')).items).toEqual([])
  })

  test('is found by name and id, but not listed, unless it is discoverable', async () => {
    const { id, name } = await create({ discoverable: false })
    for (const silo of [id, name]) {
      expect(await server.admin.call('silo_view', { params: { silo } })).toMatchObject({
        id,
        discoverable: false,
      })
    }
    const named = async (operation: 'silo_list' | 'silo_search' | 'silo_utilization_list') =>
      JSON.stringify(await server.admin.call(operation)).includes(name)
    expect(await named('silo_list')).toBe(false)
    expect(await named('silo_search')).toBe(false)
    expect(await named('silo_utilization_list')).toBe(false)
    const quotas = await server.admin.call('system_quotas_list')
    expect(quotas.items.map(({ silo_id }) => silo_id)).toContain(id)
  })

  test('is in the searchable, filterable and sortable list', async () => {
    await create({ description: 'Barley' }, 'malt-10')
    await create({ description: 'Hops', identity_mode: 'saml_scim' }, 'malt-9')
    const found = async (query: Wire.Operations['silo_search']['query']) => {
      const { items, total } = await server.admin.call('silo_search', { query })
      expect(total).toBe(items.length)
      return items.map(({ name }) => name)
    }
    expect(await found({ search: 'malt', sort_by: 'natural_name_descending' })).toEqual([
      'malt-10',
      'malt-9',
    ])
    expect(await found({ search: 'barle' })).toEqual(['malt-10'])
    expect(await found({ search: 'malt', identity_mode: 'saml_scim,saml_jit' })).toEqual(['malt-9'])
    const { counts } = await server.admin.call('silo_search', {
      query: { search: 'malt', count_by: 'identity_mode' },
    })
    expect(counts).toEqual([
      { word: 'local_only', count: 1 },
      { word: 'saml_scim', count: 1 },
    ])
  })

  test('is found and starred by operators, but not by its own users', async () => {
    const { silo, admin } = await withAdmin({ description: 'Cider' })
    const found = (caller: typeof server.admin) =>
      caller.call('find', { query: { text: silo.name } }).then(({ items }) => items)
    expect(await found(server.admin)).toMatchObject([{ kind: 'silo', id: silo.id }])
    expect(await found(admin.caller)).toEqual([])
    const body = { kind: 'silo', id: silo.id } as const
    await server.admin.call('star_create', { body })
    expect((await admin.caller.refusal('star_create', { body })).status).toBe(404)
  })

  test('requires a unique name, which is free after a deletion', async () => {
    const { name } = await create()
    const taken = {
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: `already exists: silo "${name}"`,
    }
    expect(await refusal(siloBody(name))).toEqual(taken)
    await server.admin.call('silo_delete', { params: { silo: name } })
    await create({}, name)
    expect(await refusal(siloBody(name))).toEqual(taken)
  })

  test.each([
    [{ quotas: { cpus: -1, memory: 0, storage: 0 } }, /^Cannot create silo quota: CPU quota must/],
    [{ quotas: { cpus: 0, memory: -1, storage: 0 } }, /quotas\.memory: value is too small/],
    [{ quotas: { cpus: 0, memory: 0 } }, /quotas: missing field `storage`/],
    [{ identity_mode: 'saml' }, /identity_mode: unknown variant `saml`/],
    [{ mapped_fleet_roles: { owner: ['admin'] } }, /mapped_fleet_roles: unknown variant `owner`/],
    [{ mapped_fleet_roles: { admin: ['owner'] } }, /fleet_roles\.admin\[0\]: unknown variant/],
    [{ admin_group_name: '  ' }, /^unsupported value for "admin_group_name": .* blank/],
    [{ admin_group_name: 'x'.repeat(256) }, /"admin_group_name": .* at most 255 characters/],
    [{ discoverable: undefined }, /missing field `discoverable`/],
    [{ tls_certificates: undefined }, /missing field `tls_certificates`/],
  ])('is refused with %j', async (values, message) => {
    const name = fresh()
    const answer = await refusal({ ...siloBody(name), ...values })
    expect(answer).toMatchObject({ status: 400, message: expect.stringMatching(message) })
    expect(await server.admin.refusal('silo_view', { params: { silo: name } })).toMatchObject({
      status: 404,
      message: `not found: silo with name "${name}"`,
    })
  })

  test('is created once by two concurrent calls with one name', async () => {
    const name = fresh()
    const path = '/v1/system/silos'
    const answers = await Promise.all(
      [1, 2, 3].map(() => server.admin.send('POST', path, { body: siloBody(name) })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
  })
})

describe('mapped fleet roles', () => {
  test('go to users with the silo role or a stronger one, and to nobody else', async () => {
    const { silo } = await withAdmin({
      mapped_fleet_roles: { admin: ['admin'], viewer: ['viewer'] },
    })
    const held = async (role?: 'admin' | 'collaborator' | 'viewer') => {
      const grants = role ? { silo: role } : {}
      const { caller } = await server.createUser(crypto.randomUUID(), grants, silo.id)
      const statusOf = async (method: string, path: string, body?: object) =>
        (await caller.send(method, path, { body })).status
      const policy = await server.admin.call('system_policy_view')
      return [
        await statusOf('GET', '/v1/system/silos'),
        await statusOf('PUT', '/v1/system/policy', policy),
      ]
    }
    expect(await held('admin')).toEqual([200, 200])
    expect(await held('collaborator')).toEqual([200, 403])
    expect(await held('viewer')).toEqual([200, 403])
    expect(await held()).toEqual([403, 403])
  })

  test('come and go with the role in the silo, at once', async () => {
    const silo = await create({ mapped_fleet_roles: { viewer: ['viewer'] } })
    const user = await server.createUser('someone', {}, silo.id)
    const list = async () => (await user.caller.send('GET', '/v1/system/silos')).status
    const assign = (role_assignments: Wire.SiloRoleRoleAssignment[]) =>
      server.admin.call('silo_policy_update', {
        params: { silo: silo.name },
        body: { role_assignments },
      })
    const viewer = {
      identity_type: 'silo_user',
      identity_id: user.id,
      role_name: 'viewer',
    } as const
    expect(await list()).toBe(403)
    expect(await assign([viewer])).toEqual({ role_assignments: [viewer] })
    expect(await list()).toBe(200)
    await assign([])
    expect(await list()).toBe(403)
  })

  test('end with the mapping, at once', async () => {
    const { silo, admin } = await withAdmin({ mapped_fleet_roles: { admin: ['viewer'] } })
    await admin.caller.call('silo_list')
    await server.db
      .updateTable('silo')
      .set({ mapped_fleet_roles: '{}' })
      .where('id', '=', silo.id)
      .execute()
    expect(await admin.caller.refusal('silo_list')).toMatchObject({ status: 403 })
  })
})

describe('quotas', () => {
  test('change one by one, even below the usage', async () => {
    const { silo, admin, params } = await withAdmin()
    const change = (body: object) => server.admin.call('silo_quotas_update', { params, body })
    const before = { silo_id: silo.id, ...siloBody('').quotas }
    expect(await change({})).toEqual(before)
    expect(await change({ cpus: 2, memory: null })).toEqual({ ...before, cpus: 2 })
    await admin.caller.call('project_create', { body: { name: 'web', description: '' } })
    const query = { project: 'web' }
    await detachedDisk(admin.caller, query, 'data')
    await change({ storage: 0 })
    expect(await admin.caller.call('utilization_view')).toEqual({
      provisioned: { cpus: 0, memory: 0, storage: GiB },
      capacity: { cpus: 2, memory: 64 * GiB, storage: 0 },
    })
    const body = blankDisk('more')
    expect(await admin.caller.refusal('disk_create', { query, body })).toMatchObject({
      status: 507,
      message: expect.stringContaining('Storage Limit Exceeded'),
    })
    await change({ storage: 2 * GiB })
    await admin.caller.call('disk_create', { query, body })
  })

  test('must not be negative', async () => {
    const { params } = await withAdmin()
    expect(
      await server.admin.refusal('silo_quotas_update', { params, body: { cpus: -1 } }),
    ).toEqual({
      status: 400,
      error_code: 'InvalidRequest',
      message: 'Cannot update silo quota: CPU quota must not be negative',
    })
  })

  test('may be practically unlimited', async () => {
    const endless = { cpus: 9_999_999_999, memory: 2 ** 62, storage: 2 ** 53 }
    const { params, admin } = await withAdmin({ quotas: endless })
    expect(await server.admin.call('silo_quotas_view', { params })).toMatchObject({
      cpus: 9_999_999_999,
      memory: Number.MAX_SAFE_INTEGER,
      storage: Number.MAX_SAFE_INTEGER,
    })
    await admin.caller.call('project_create', { body: { name: 'web', description: '' } })
    const query = { project: 'web' }
    await admin.caller.call('disk_create', { query, body: blankDisk('data') })
  })
})

describe('the deletion of a silo', () => {
  const remove = (silo: string) => server.admin.call('silo_delete', { params: { silo } })
  const refused = (silo: string) => server.admin.refusal('silo_delete', { params: { silo } })

  test('is refused while it contains a project', async () => {
    const { silo, admin } = await withAdmin()
    const { caller } = admin
    await caller.call('project_create', { body: { name: 'web', description: '' } })
    expect(await refused(silo.name)).toEqual({
      status: 400,
      error_code: 'InvalidRequest',
      message: 'silo to be deleted contains a project',
    })
    const subnet = { params: { subnet: 'default' }, query: { project: 'web', vpc: 'default' } }
    await caller.call('vpc_subnet_delete', subnet)
    await caller.call('vpc_delete', { params: { vpc: 'default' }, query: { project: 'web' } })
    await caller.call('project_delete', { params: { project: 'web' } })
    await remove(silo.name)
  })

  test('is refused to its own users', async () => {
    const { silo, admin } = await withAdmin()
    const params = { silo: silo.name }
    expect(await admin.caller.refusal('silo_delete', { params })).toMatchObject({
      status: 400,
      message: 'silo to be deleted is the one of the caller',
    })
    await admin.caller.call('current_user_view')
  })

  test('deletes all its contents, and nothing of other silos', async () => {
    const other = await withAdmin({ admin_group_name: 'admins' })
    await other.admin.caller.call('current_user_ssh_key_create', { body: sshKeyBody('kept') })
    const { silo, admin } = await withAdmin({ admin_group_name: 'admins' })
    const { caller } = admin
    await caller.call('current_user_ssh_key_create', { body: sshKeyBody('key') })
    await caller.call('view_create', { body: { name: 'mine', list: 'project', query: {} } })
    await server.createImage('golden', null, silo.id)
    await tokenOf(caller, server.anonymous)
    await server.grant({ id: admin.id }, 'fleet', '001de000-1334-4000-8000-000000000000', 'viewer')
    await remove(silo.name)
    expect(await findDangling(server.db)).toEqual([])
    expect(await refused(silo.name)).toMatchObject({ status: 404 })
    expect(await refused(silo.id)).toMatchObject({
      message: `not found: silo with id "${silo.id}"`,
    })
    const count = async (
      table: 'role_assignment' | 'console_session' | 'access_token',
      column: string,
    ) =>
      (
        await server.db
          .selectFrom(table)
          .select(column as never)
          .execute()
      ).filter((row) => (row as Record<string, string>)[column] === admin.id).length
    expect(await count('role_assignment', 'identity_id')).toBe(0)
    expect(await count('console_session', 'user_id')).toBe(0)
    expect(await count('access_token', 'user_id')).toBe(0)
    // The other silo is unchanged.
    expect((await other.admin.caller.call('current_user_ssh_key_list')).items).toHaveLength(1)
    expect((await other.admin.caller.call('group_list')).items).toHaveLength(1)
  })

  test('ends the sessions, tokens and streams of its users at once', async () => {
    const { silo, admin } = await withAdmin()
    const byToken = await tokenOf(admin.caller, server.anonymous)
    const streams = await Promise.all(
      [admin.caller, byToken].map(
        async (caller) => new EventStream(await caller.fetch('/x/v1/events')),
      ),
    )
    await eventsSettled(server.db)
    const watching = new EventStream(await server.admin.fetch('/x/v1/events'))
    for (const stream of [...streams, watching]) await stream.block()
    await remove(silo.id)
    for (const caller of [admin.caller, byToken]) {
      expect(await caller.refusal('current_user_view')).toMatchObject({ status: 401 })
    }
    for (const stream of streams) {
      await stream.end()
    }
    expect(await watching.changeOf('silos')).toMatchObject({
      action: 'delete',
      resource_id: silo.id,
    })
    await watching.close()
  })

  test('and the creation of a project in it: one of them is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const { silo, admin } = await withAdmin()
      const path = `/v1/system/silos/${silo.name}`
      const body = { name: 'web', description: '' }
      const [made, deleted] = await Promise.all([
        admin.caller.send('POST', '/v1/projects', { body }),
        server.admin.send('DELETE', path),
      ])
      if (deleted.status === 204) expect([401, 404]).toContain(made.status)
      else expect([deleted.status, made.status]).toEqual([400, 201])
    }
    expect(await findDangling(server.db)).toEqual([])
  })

  test('is in the audit log, for operators', async () => {
    const { silo } = await withAdmin()
    await remove(silo.name)
    const query = { start_time: silo.time_created, limit: 10_000 }
    const { items } = await server.admin.call('audit_log_list', { query })
    const ofSilo = items.filter(({ request_uri }) => request_uri.includes(silo.name))
    expect(ofSilo).toMatchObject([{ operation_id: 'silo_delete', result: { kind: 'success' } }])
  })
})

describe('the utilization of silos', () => {
  test('is listed in pages, by name and by id', async () => {
    for (let n = 0; n < 3; n++) await create()
    for (const sort_by of ['name_ascending', 'name_descending', 'id_ascending'] as const) {
      const found: Wire.SiloUtilization[] = []
      let page_token: string | undefined
      do {
        const query = page_token ? { page_token, limit: 2 } : { sort_by, limit: 2 }
        const page = await server.admin.call('silo_utilization_list', { query })
        found.push(...page.items)
        page_token = page.items.length > 0 ? (page.next_page ?? undefined) : undefined
      } while (page_token)
      const all = (await server.admin.call('silo_list')).items
      expect(found.map(({ silo_id }) => silo_id).toSorted()).toEqual(
        all.map(({ id }) => id).toSorted(),
      )
      const keys = found.map((item) => (sort_by === 'id_ascending' ? item.silo_id : item.silo_name))
      const sorted = keys.toSorted()
      expect(keys).toEqual(sort_by === 'name_descending' ? sorted.toReversed() : sorted)
    }
  })
})
