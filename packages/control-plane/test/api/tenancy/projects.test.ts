/** Control plane specification 5 and 8.1: projects, and their initial VPC. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { affinityBody, detachedDisk, stoppedInstance } from '../../support/things.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const create = (name: string, description = '') =>
  server.admin.call('project_create', { body: { name, description } })
const exists = (name: string) => ({
  status: 400,
  error_code: 'ObjectAlreadyExists',
  message: `already exists: project "${name}"`,
})

describe('a project', () => {
  test('is created as requested', async () => {
    const project = await create('web', 'the web shop')
    expect(project).toMatchObject({ name: 'web', description: 'the web shop' })
    expect(project.time_created).toBe(project.time_modified)
    for (const selector of ['web', project.id]) {
      const params = { project: selector }
      expect(await server.admin.call('project_view', { params })).toEqual(project)
    }
    expect((await server.admin.call('project_list')).items).toContainEqual(project)
  })

  test('has a unique name in its silo', async () => {
    await create('taken')
    expect(
      await server.admin.refusal('project_create', { body: { name: 'taken', description: '' } }),
    ).toEqual(exists('taken'))
    const elsewhere = await server.createUser(
      'elsewhere',
      { silo: 'admin' },
      await server.createSilo('elsewhere'),
    )
    const twin = await elsewhere.caller.call('project_create', {
      body: { name: 'taken', description: 'another one' },
    })
    expect(await elsewhere.caller.call('project_view', { params: { project: 'taken' } })).toEqual(
      twin,
    )
    expect((await elsewhere.caller.call('project_list')).items).toEqual([twin])
  })

  test('is created once by concurrent calls with one name, with one VPC', async () => {
    const body = { name: 'race', description: '' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => server.admin.send('POST', '/v1/projects', { body })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)])
    const { items } = await server.admin.call('vpc_list', { query: { project: 'race' } })
    expect(items).toHaveLength(1)
  })
})

describe('an update', () => {
  const update = (project: string, body: object) =>
    server.admin.call('project_update', { params: { project }, body })

  test('changes the named fields and keeps the rest', async () => {
    const before = await create('update', 'before')
    const described = await update('update', { description: 'after' })
    expect(described).toEqual({
      ...before,
      description: 'after',
      time_modified: described.time_modified,
    })
    expect(described.time_modified >= before.time_modified).toBe(true)
    expect(await update('update', { name: null, description: null })).toMatchObject({
      name: 'update',
      description: 'after',
    })
    expect(await update('update', { description: '' })).toMatchObject({ description: '' })
    const renamed = await update('update', { name: 'updated' })
    expect(renamed).toMatchObject({ id: before.id, name: 'updated' })
    expect(await server.admin.refusal('project_view', { params: { project: 'update' } })).toEqual({
      status: 404,
      error_code: 'ObjectNotFound',
      message: 'not found: project with name "update"',
    })
    // The old name is free at once.
    await create('update')
  })

  test('refuses a taken name, but not its own', async () => {
    await create('first')
    await create('second')
    expect(
      await server.admin.refusal('project_update', {
        params: { project: 'second' },
        body: { name: 'first' },
      }),
    ).toEqual(exists('first'))
    expect(await update('second', { name: 'second' })).toMatchObject({ name: 'second' })
  })
})

describe('the VPC of a new project', () => {
  test('has all initial contents', async () => {
    const project = await create('vpc')
    const query = { project: 'vpc' }
    const { items: vpcs } = await server.admin.call('vpc_list', { query })
    expect(vpcs).toHaveLength(1)
    const vpc = vpcs[0]!
    expect(vpc).toMatchObject({
      name: 'default',
      description: 'Default VPC',
      dns_name: 'default',
      project_id: project.id,
      ipv6_prefix: expect.stringMatching(/^fd[0-9a-f:]+::\/48$/),
    })

    const { items: subnets } = await server.admin.call('vpc_subnet_list', {
      query: { ...query, vpc: 'default' },
    })
    expect(subnets).toHaveLength(1)
    expect(subnets[0]).toMatchObject({
      name: 'default',
      description: 'The default subnet for default',
      vpc_id: vpc.id,
      ipv4_block: '172.30.0.0/22',
      custom_router_id: null,
    })
    const prefix = vpc.ipv6_prefix.replace('::/48', '')
    expect(subnets[0]!.ipv6_block.startsWith(prefix)).toBe(true)
    expect(subnets[0]!.ipv6_block.endsWith('::/64')).toBe(true)

    const inVpc = { query: { vpc: vpc.id } }
    const { items: routers } = await server.admin.call('vpc_router_list', inVpc)
    expect(routers).toMatchObject([{ id: vpc.system_router_id, name: 'system', kind: 'system' }])
    const { items: routes } = await server.admin.call('vpc_router_route_list', {
      query: { router: vpc.system_router_id },
    })
    expect(
      routes.map(({ name, kind, destination, target }) => [name, kind, destination, target]),
    ).toEqual([
      [
        'default',
        'vpc_subnet',
        { type: 'subnet', value: 'default' },
        { type: 'subnet', value: 'default' },
      ],
      [
        'default-v4',
        'default',
        { type: 'ip_net', value: '0.0.0.0/0' },
        { type: 'internet_gateway', value: 'default' },
      ],
      [
        'default-v6',
        'default',
        { type: 'ip_net', value: '::/0' },
        { type: 'internet_gateway', value: 'default' },
      ],
    ])
    const { items: gateways } = await server.admin.call('internet_gateway_list', inVpc)
    expect(gateways).toMatchObject([
      { name: 'default', description: 'Automatically created default VPC gateway' },
    ])
    const { items: links } = await server.admin.call('internet_gateway_ip_pool_list', {
      query: { gateway: gateways[0]!.id },
    })
    const pool = await server.admin.call('ip_pool_view', { params: { pool: 'default' } })
    expect(links).toMatchObject([{ name: `default-${pool.ip_version}`, ip_pool_id: pool.id }])
    const { rules } = await server.admin.call('vpc_firewall_rules_view', inVpc)
    expect(rules).toMatchObject(
      ['allow-icmp', 'allow-internal-inbound', 'allow-ssh'].map((name) => ({
        name,
        status: 'enabled',
        direction: 'inbound',
        action: 'allow',
        priority: 65534,
        targets: [{ type: 'vpc', value: 'default' }],
      })),
    )
  })

  test('is separate: addresses and network differ from project to project', async () => {
    const projects = ['own-1', 'own-2', 'own-3']
    for (const name of projects) await create(name)
    const vpcs = await Promise.all(
      projects.map((project) =>
        server.admin.call('vpc_view', { params: { vpc: 'default' }, query: { project } }),
      ),
    )
    expect(new Set(vpcs.map(({ ipv6_prefix }) => ipv6_prefix)).size).toBe(3)
    const rows = await server.db.selectFrom('vpc').select('vni').execute()
    expect(new Set(rows.map(({ vni }) => vni)).size).toBe(rows.length)
    expect(rows.every(({ vni }) => vni >= 1024 && vni < 2 ** 24)).toBe(true)
  })
})

describe('deleting', () => {
  const remove = (project: string) =>
    server.admin.refusal('project_delete', { params: { project } })
  const contains = (what: string) => ({
    status: 400,
    error_code: 'InvalidRequest',
    message: `project to be deleted contains ${what}`,
  })

  test('is refused as long as the project contains anything, one kind at a time', async () => {
    const { admin } = server
    const project = await create('full')
    const query = { project: 'full' }
    const described = (name: string) => ({ name, description: '' })
    await detachedDisk(admin, query, 'data')
    await stoppedInstance(admin, query, 'box', { disks: [{ type: 'attach', name: 'data' }] })
    const { id } = await admin.call('snapshot_create', {
      query,
      body: { ...described('snap'), disk: 'data' },
    })
    const source = { type: 'snapshot' as const, id }
    await admin.call('image_create', {
      query,
      body: { ...described('img'), os: 'Plan 9', version: '4', source },
    })
    await admin.call('floating_ip_create', { query, body: described('address') })
    await admin.call('affinity_group_create', { query, body: affinityBody('near') })
    await admin.call('anti_affinity_group_create', { query, body: affinityBody('far') })

    expect(await remove('full')).toEqual(contains('an instance: box'))
    await admin.call('instance_delete', { params: { instance: 'box' }, query })
    expect(await remove('full')).toEqual(contains('a disk: data'))
    await admin.call('disk_delete', { params: { disk: 'data' }, query })
    expect(await remove('full')).toEqual(contains('a floating ip: address'))
    await admin.call('floating_ip_delete', { params: { floating_ip: 'address' }, query })
    expect(await remove('full')).toEqual(contains('a project image: img'))
    await admin.call('image_delete', { params: { image: 'img' }, query })
    expect(await remove('full')).toEqual(contains('a snapshot: snap'))
    await admin.call('snapshot_delete', { params: { snapshot: 'snap' }, query })
    expect(await remove('full')).toEqual(contains('a vpc: default'))
    const vpc = { ...query, vpc: 'default' }
    await admin.call('vpc_subnet_delete', { params: { subnet: 'default' }, query: vpc })
    await admin.call('vpc_delete', { params: { vpc: 'default' }, query })
    expect(await remove('full')).toEqual(contains('an affinity group: near'))
    await admin.call('affinity_group_delete', { params: { affinity_group: 'near' }, query })
    expect(await remove('full')).toEqual(contains('an anti affinity group: far'))
    await admin.call('anti_affinity_group_delete', {
      params: { anti_affinity_group: 'far' },
      query,
    })
    await admin.call('project_delete', { params: { project: 'full' } })
    expect(await remove(project.id)).toEqual({
      status: 404,
      error_code: 'ObjectNotFound',
      message: `not found: project with id "${project.id}"`,
    })
    expect((await admin.call('project_list')).items).not.toContainEqual(project)
    expect((await create('full')).id).not.toBe(project.id)
  })

  test('names the first of a kind', async () => {
    await create('several')
    for (const name of ['beta', 'alpha', 'gamma']) {
      await detachedDisk(server.admin, { project: 'several' }, name)
    }
    expect(await remove('several')).toEqual(contains('a disk: alpha'))
  })
})
