/** Control plane specification 8.4: routers and routes. */
import type { Wire } from '@steading/api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { EventStream, eventsSettled } from '../../support/event-stream.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { itemsOf, plan, runJob, targets } from '../../support/jobs.ts'

let server: TestServer
let admin: Caller
let vpc: Wire.Vpc
const query = { project: 'work', vpc: 'default' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  vpc = await admin.call('vpc_view', { params: { vpc: 'default' }, query: { project: 'work' } })
})
afterAll(() => server.close())

let count = 0
const fresh = () => `thing-${count++}`
const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })
const taken = (type: string, name: string) => ({
  status: 400,
  error_code: 'ObjectAlreadyExists',
  message: `already exists: ${type} "${name}"`,
})

const createRouter = (name = fresh()) =>
  admin.call('vpc_router_create', { query, body: { name, description: 'By hand' } })
const net = (value: string): Wire.RouteDestination => ({ type: 'ip_net', value })
const drop: Wire.RouteTarget = { type: 'drop' }
const routeBody = (ends: Partial<Wire.RouterRouteCreate> = {}): Wire.RouterRouteCreate => ({
  name: fresh(),
  description: '',
  destination: net('10.0.0.0/8'),
  target: drop,
  ...ends,
})
const createRoute = (router: string, ends: Partial<Wire.RouterRouteCreate> = {}) =>
  admin.call('vpc_router_route_create', { query: { router }, body: routeBody(ends) })
const systemRoutes = async () =>
  (await admin.call('vpc_router_route_list', { query: { router: vpc.system_router_id } })).items
const systemRoute = async (name: string) => (await systemRoutes()).find((one) => one.name === name)!

describe('a router', () => {
  test('can be created, viewed, renamed and deleted', async () => {
    const router = await createRouter('first')
    expect(router).toMatchObject({ kind: 'custom', vpc_id: vpc.id, description: 'By hand' })
    const named = { params: { router: 'first' }, query }
    expect(await admin.call('vpc_router_view', named)).toEqual(router)
    const updated = await admin.call('vpc_router_update', {
      ...named,
      body: { name: 'renamed', description: null },
    })
    expect(updated).toMatchObject({ name: 'renamed', description: 'By hand' })
    // A change of the description does not conflict with its own name.
    const params = { router: router.id }
    await admin.call('vpc_router_update', { params, body: { name: 'renamed', description: 'x' } })
    expect(await admin.refusal('vpc_router_update', { params, body: { name: 'system' } })).toEqual(
      taken('vpc-router', 'system'),
    )
    await admin.call('vpc_router_delete', { params })
    expect(await admin.refusal('vpc_router_view', { params })).toMatchObject({
      status: 404,
      message: `not found: vpc-router with id "${router.id}"`,
    })
    await createRouter('renamed')
  })

  test('is named by id alone, or by name and VPC', async () => {
    const params = { router: vpc.system_router_id }
    expect(await admin.refusal('vpc_router_view', { params, query })).toEqual(
      invalid('when providing router as an ID vpc and project should not be specified'),
    )
    expect(await admin.refusal('vpc_router_view', { params: { router: 'system' } })).toEqual(
      invalid('router should either be an ID or vpc should be specified'),
    )
    expect(
      await admin.refusal('vpc_router_route_view', {
        params: { route: vpc.id },
        query: { router: vpc.system_router_id },
      }),
    ).toEqual(
      invalid(
        'when providing route as an ID router, subnet, vpc, and project should not be specified',
      ),
    )
    expect(
      await admin.refusal('vpc_router_route_view', { params: { route: 'default-v4' } }),
    ).toEqual(invalid('route should either be an ID or router should be specified'))
  })

  test('of the system has a description, but can be neither deleted nor given routes', async () => {
    const params = { router: vpc.system_router_id }
    await admin.call('vpc_router_update', { params, body: { description: 'Ours' } })
    expect(await admin.refusal('vpc_router_delete', { params })).toEqual(
      invalid('cannot delete system router'),
    )
    expect(
      await admin.refusal('vpc_router_route_create', {
        query: { router: vpc.system_router_id },
        body: routeBody(),
      }),
    ).toEqual(invalid('user-provided routes cannot be added to a system router'))
  })

  test('leaves its subnets with the system router, and deletes its routes', async () => {
    const router = await createRouter()
    const route = await createRoute(router.id)
    const [subnet] = (await admin.call('vpc_subnet_list', { query })).items
    await server.db
      .updateTable('vpc_subnet')
      .set({ custom_router_id: router.id })
      .where('id', '=', subnet!.id)
      .execute()
    expect(await admin.call('vpc_router_deletion', { params: { router: router.id } })).toEqual({
      groups: [
        expect.objectContaining({
          relation: 'goes',
          kind: 'router_route',
          first: [{ id: route.id, name: route.name, detail: '10.0.0.0/8' }],
        }),
        expect.objectContaining({
          relation: 'stays',
          kind: 'vpc_subnet',
          first: [{ id: subnet!.id, name: 'default', detail: subnet!.ipv4_block }],
          reason: 'Will fall back to the system router',
        }),
      ],
    })
    await eventsSettled(server.db)
    const stream = new EventStream(await admin.fetch('/x/v1/events'))
    await stream.block()
    await admin.call('vpc_router_delete', { params: { router: router.id } })
    expect(await stream.changeOf('subnets')).toMatchObject({ action: 'update' })
    expect(await stream.changeOf('routers')).toMatchObject({
      action: 'delete',
      project_id: vpc.project_id,
    })
    await stream.close()
    expect(
      (await admin.call('vpc_subnet_view', { params: { subnet: subnet!.id } })).custom_router_id,
    ).toBeNull()
    expect(
      await admin.refusal('vpc_router_route_view', { params: { route: route.id } }),
    ).toMatchObject({ status: 404 })
  })
})

describe('a route', () => {
  test('can be created, viewed, changed and deleted', async () => {
    const router = await createRouter()
    const route = await createRoute(router.id, {
      name: 'out',
      destination: { type: 'subnet', value: 'anywhere' },
      target: { type: 'internet_gateway', value: 'default' },
    })
    expect(route).toMatchObject({ kind: 'custom', vpc_router_id: router.id })
    const named = { params: { route: 'out' }, query: { ...query, router: router.name } }
    expect(await admin.call('vpc_router_route_view', named)).toEqual(route)
    const ends = { destination: net('192.168.0.0/16'), target: drop }
    const changed = await admin.call('vpc_router_route_update', { ...named, body: ends })
    expect(changed).toMatchObject({ name: 'out', ...ends })
    expect(
      await admin.refusal('vpc_router_route_create', {
        query: { router: router.id },
        body: routeBody({ name: 'out' }),
      }),
    ).toEqual(taken('router-route', 'out'))
    await admin.call('vpc_router_route_delete', named)
    expect(await admin.refusal('vpc_router_route_view', named)).toMatchObject({
      status: 404,
      message: 'not found: router-route with name "out"',
    })
  })

  const refused: [string, Partial<Wire.RouterRouteCreate>, string][] = [
    [
      'of two versions',
      { destination: net('10.0.0.0/8'), target: { type: 'ip', value: 'fd00::1' } },
      'cannot mix explicit IPv4 and IPv6 addresses between destination and target',
    ],
    [
      'to a VPC',
      { destination: { type: 'vpc', value: 'default' } },
      'users cannot specify VPCs as a destination or target in Custom routes',
    ],
    [
      'by a VPC',
      { target: { type: 'vpc', value: 'default' } },
      'users cannot specify VPCs as a destination or target in Custom routes',
    ],
    [
      'by a subnet',
      { target: { type: 'subnet', value: 'default' } },
      'subnets cannot be used as a target in Custom routers',
    ],
  ]
  test.each(refused)('refuses %s', async (_, ends, message) => {
    const { id } = await createRouter()
    const body = routeBody(ends)
    expect(await admin.refusal('vpc_router_route_create', { query: { router: id }, body })).toEqual(
      invalid(message),
    )
    const route = await createRoute(id)
    expect(
      await admin.refusal('vpc_router_route_update', { params: { route: route.id }, body }),
    ).toEqual(invalid(message))
  })

  test('has its address in canonical spelling', async () => {
    const { id } = await createRouter()
    expect(
      await createRoute(id, {
        destination: net('FD00:0:0::1/48'),
        target: { type: 'ip', value: 'FD00:0000::5' },
      }),
    ).toMatchObject({ destination: net('fd00::1/48'), target: { type: 'ip', value: 'fd00::5' } })
  })

  test('without an address or network is refused, whatever the text', async () => {
    const { id } = await createRouter()
    const part = fc.oneof(fc.nat({ max: 300 }).map(String), fc.string({ maxLength: 4 }))
    const text = fc.oneof(
      fc.array(part, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.')),
      fc.array(part, { minLength: 2, maxLength: 9 }).map((parts) => parts.join(':')),
    )
    const isAddress = (value: string) =>
      URL.canParse(`http://[${value}]`) || /^(\d{1,3}\.){3}\d{1,3}$/.test(value)
    await fc.assert(
      fc.asyncProperty(text, fc.string({ maxLength: 4 }), async (value, width) => {
        fc.pre(!isAddress(value))
        const ends: object[] = [
          { destination: { type: 'ip', value } },
          { destination: net(`${value}/${width}`) },
          { target: { type: 'ip', value } },
          { target: { type: 'instance', value } },
        ]
        for (const end of ends) {
          const answer = await admin.send('POST', `/v1/vpc-router-routes?router=${id}`, {
            body: { ...routeBody(), ...end },
          })
          expect([answer.status, end]).toEqual([400, end])
        }
      }),
      { numRuns: 15 },
    )
    expect((await admin.call('vpc_router_route_list', { query: { router: id } })).items).toEqual([])
  })
})

describe('system routes', () => {
  test('exist in a new VPC', async () => {
    expect(await systemRoutes()).toMatchObject(
      [
        {
          name: 'default-v4',
          kind: 'default',
          destination: net('0.0.0.0/0'),
          target: { type: 'internet_gateway', value: 'default' },
          description: 'The default route of a vpc',
        },
        { name: 'default-v6', kind: 'default', destination: net('::/0') },
        {
          name: 'default',
          kind: 'vpc_subnet',
          destination: { type: 'subnet', value: 'default' },
          target: { type: 'subnet', value: 'default' },
        },
      ].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    )
  })

  test('by default can be redirected, but are otherwise fixed', async () => {
    const { id, destination, target } = await systemRoute('default-v4')
    const params = { route: id }
    const update = (body: object) => ({ params, body: { destination, target: drop, ...body } })
    for (const body of [{ name: 'other' }, { description: '' }, { destination: net('::/0') }]) {
      expect(await admin.refusal('vpc_router_route_update', update(body))).toEqual(
        invalid('the destination and metadata of a Default route cannot be changed'),
      )
    }
    expect(
      await admin.refusal(
        'vpc_router_route_update',
        update({ target: { type: 'ip', value: 'fd00::1' } }),
      ),
    ).toMatchObject({ message: expect.stringContaining('cannot mix explicit IPv4 and IPv6') })
    expect(
      await admin.refusal(
        'vpc_router_route_update',
        update({ target: { type: 'subnet', value: 'default' } }),
      ),
    ).toEqual(invalid('subnets cannot be used as a target in Default routers'))
    const changed = await admin.call(
      'vpc_router_route_update',
      update({ name: null, description: null }),
    )
    expect(changed).toMatchObject({
      name: 'default-v4',
      kind: 'default',
      destination,
      target: drop,
    })
    await admin.call('vpc_router_route_update', { params, body: { destination, target } })
    expect(await admin.refusal('vpc_router_route_delete', { params })).toEqual(
      invalid('DELETE not allowed on system routes'),
    )
  })

  test('to subnets can be neither changed nor deleted', async () => {
    const { id, destination, target } = await systemRoute('default')
    const params = { route: id }
    expect(
      await admin.refusal('vpc_router_route_update', { params, body: { destination, target } }),
    ).toEqual(invalid('routes of type VpcSubnet within the system router are not modifiable'))
    expect(await admin.refusal('vpc_router_route_delete', { params })).toEqual(
      invalid('DELETE not allowed on system routes'),
    )
  })
})

describe('lists', () => {
  test('are searched, filtered and sorted', async () => {
    const router = await createRouter('way-out')
    await createRoute(router.id, { name: 'b', destination: net('10.2.0.0/16') })
    await createRoute(router.id, {
      name: 'a',
      destination: net('10.1.0.0/16'),
      target: { type: 'instance', value: 'firewall' },
    })
    const search = async (more: object) =>
      (
        await admin.call('vpc_router_route_search', { query: { router: router.id, ...more } })
      ).items.map(({ name }) => name)
    expect(await search({ search: '10.2.' })).toEqual(['b'])
    expect(await search({ search: 'firewall' })).toEqual(['a'])
    // Types are filtered, not searched.
    expect(await search({ search: 'instance' })).toEqual([])
    expect(await search({ target: 'instance,ip' })).toEqual(['a'])
    expect(await search({ sort_by: 'destination_descending' })).toEqual(['b', 'a'])
    for (const [name, destination] of [
      ['c', net('9.0.0.0/8')],
      ['d', net('10.2.0.0/24')],
      ['e', net('fd00::/48')],
      ['f', { type: 'ip', value: '10.10.0.1' }],
      ['g', { type: 'subnet', value: 'default' }],
    ] as const) {
      await createRoute(router.id, { name, destination })
    }
    // By address, not as text: 9 is before 10.
    const byAddress = ['c', 'a', 'b', 'd', 'f', 'e', 'g']
    expect(await search({ sort_by: 'destination_ascending' })).toEqual(byAddress)
    const system = await admin.call('vpc_router_search', { query: { ...query, kind: 'system' } })
    expect(system).toMatchObject({ total: 1, items: [{ name: 'system' }] })
  })

  test('of nested things are found, starred, and deleted in bulk', async () => {
    const router = await createRouter('aqueduct')
    const route = await createRoute(router.id, { name: 'aqueous' })
    const { items: found } = await admin.call('find', { query: { text: 'aque' } })
    const within = { kind: 'vpc', id: vpc.id, name: 'default' }
    expect(found).toMatchObject([
      { kind: 'vpc_router', id: router.id, project_name: 'work', inside: [within] },
      {
        kind: 'router_route',
        id: route.id,
        project_name: 'work',
        inside: [within, { kind: 'vpc_router', id: router.id, name: 'aqueduct' }],
      },
    ])
    const stranger = await server.createUser('stranger')
    expect((await stranger.caller.call('find', { query: { text: 'aque' } })).items).toEqual([])
    const member = await server.createUser('member', { projects: { [vpc.project_id]: 'viewer' } })
    expect((await member.caller.call('find', { query: { text: route.id } })).items).toHaveLength(1)
    await admin.call('star_create', { body: { kind: 'router_route', id: route.id } })
    expect((await admin.call('star_list')).items).toMatchObject([{ name: 'aqueous' }])

    const inRouter: Wire.JobTarget = {
      type: 'matching',
      query: { vpc: 'default', router: 'aqueduct', search: 'aqueous' },
    }
    await runJob(admin, 'delete', 'router_route', inRouter)
    expect((await admin.call('star_list')).items).toEqual([])
    const refusal = await admin.refusal('job_create', {
      body: {
        action: 'delete',
        kind: 'vpc_router',
        project: 'work',
        target: { type: 'matching', query: {} },
      },
    })
    expect(refusal).toMatchObject({
      status: 400,
      message: expect.stringContaining('needs the vpc'),
    })
    const routers = targets(router.id, vpc.system_router_id)
    const planned = await plan(admin, 'delete', 'vpc_router', routers)
    expect(
      (await itemsOf(admin, planned)).map(({ thing, reason }) => [thing.name, reason]),
    ).toEqual([
      ['system', 'System routers cannot be deleted'],
      ['aqueduct', null],
    ])
    await runJob(admin, 'delete', 'vpc_router', routers)
    expect(await admin.refusal('vpc_router_view', { params: { router: router.id } })).toMatchObject(
      { status: 404 },
    )
  })

  test('give no access to another project', async () => {
    await admin.call('project_create', { body: { name: 'other', description: '' } })
    const router = await createRouter('theirs')
    const job = (target: Wire.JobTarget) =>
      admin.refusal('job_create', {
        body: { action: 'delete', kind: 'vpc_router', project: 'other', target },
      })
    expect(await job(targets(router.id))).toMatchObject({ status: 404 })
    expect(await job({ type: 'matching', query: { vpc: vpc.id } })).toMatchObject({
      status: 400,
      message: 'target: there are no routers to act on',
    })
  })
})
