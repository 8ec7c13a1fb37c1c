/** Control plane specification 8.1 and 8.2: the creation, change and deletion of networks. */
import { DELETION_RACED, kinds } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EventStream } from '../../support/event-stream.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addSubnet } from '../../support/networks.ts'
import { stoppedInstance } from '../../support/things.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let count = 0
/** A new project, with its default network. */
async function newNetwork() {
  const project = `project-${count++}`
  const query = { project }
  await server.admin.call('project_create', { body: { name: project, description: '' } })
  const [vpc] = (await server.admin.call('vpc_list', { query })).items
  const [subnet] = (await server.admin.call('vpc_subnet_list', { query: { vpc: vpc!.id } })).items
  return { project, query, vpc: vpc!, subnet: subnet! }
}

const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })
const missing = (type: string, id: string) => ({
  status: 404,
  error_code: 'ObjectNotFound',
  message: `not found: ${type} with id "${id}"`,
})

const deleteVpc = (vpc: string) => server.admin.call('vpc_delete', { params: { vpc } })
const deleteSubnet = (subnet: string) =>
  server.admin.call('vpc_subnet_delete', { params: { subnet } })

/** Live rows that belong to a VPC, by kind. */
async function leftOf(vpcId: string): Promise<Record<string, string[]>> {
  const { db } = server
  const names = async (table: string, parent: string, ids: string[]) => {
    const rows = await db
      .selectFrom(table as 'vpc_router')
      .select(['id', 'name'])
      .where(parent as 'vpc_id', 'in', ids)
      .where('time_deleted', 'is', null)
      .orderBy('name')
      .execute()
    return rows.map(({ name }) => name)
  }
  const idsOf = async (table: 'vpc_router' | 'internet_gateway') =>
    (await db.selectFrom(table).select('id').where('vpc_id', '=', vpcId).execute()).map(
      ({ id }) => id,
    )
  return {
    subnets: await names('vpc_subnet', 'vpc_id', [vpcId]),
    routers: await names('vpc_router', 'vpc_id', [vpcId]),
    routes: await names('router_route', 'vpc_router_id', await idsOf('vpc_router')),
    gateways: await names('internet_gateway', 'vpc_id', [vpcId]),
    pools: await names(
      'internet_gateway_ip_pool',
      'internet_gateway_id',
      await idsOf('internet_gateway'),
    ),
    rules: await names('vpc_firewall_rule', 'vpc_id', [vpcId]),
  }
}

describe('a subnet', () => {
  test('is deleted with its own route, and no other', async () => {
    const { project, vpc, subnet } = await newNetwork()
    await addSubnet(server.db, vpc.id, 'other', 1)
    await server.admin.call('vpc_subnet_delete', {
      params: { subnet: 'default' },
      query: { project, vpc: 'default' },
    })
    expect(await leftOf(vpc.id)).toMatchObject({
      subnets: ['other'],
      routes: ['default-v4', 'default-v6'],
    })
    const gone = missing('vpc-subnet', subnet.id)
    const params = { subnet: subnet.id }
    expect(await server.admin.refusal('vpc_subnet_view', { params })).toEqual(gone)
    expect(await server.admin.refusal('vpc_subnet_delete', { params })).toEqual(gone)
    // Its name and its addresses are free again.
    await addSubnet(server.db, vpc.id, 'default', 2)
  })

  test('stays while it has interfaces', async () => {
    const { query, subnet, vpc } = await newNetwork()
    const params = { subnet: subnet.id }
    const box = await stoppedInstance(server.admin, query, 'box')
    expect(await server.admin.refusal('vpc_subnet_delete', { params })).toEqual(
      invalid('VPC Subnet cannot be deleted while network interfaces in the subnet exist'),
    )
    expect((await leftOf(vpc.id)).subnets).toEqual(['default'])
    await server.admin.call('instance_delete', { params: { instance: box.id } })
    await deleteSubnet(subnet.id)
  })

  test('is named by id alone, or by name and VPC', async () => {
    const { project, subnet } = await newNetwork()
    const refusal = (name: string, query: object) =>
      server.admin.refusal('vpc_subnet_delete', { params: { subnet: name }, query })
    expect(await refusal(subnet.id, { project, vpc: 'default' })).toEqual(
      invalid('when providing subnet as an ID, vpc and project should not be specified'),
    )
    expect(await refusal('default', {})).toEqual(
      invalid('subnet should either be an ID or vpc should be specified'),
    )
    expect(await refusal('nosuch', { project, vpc: 'default' })).toMatchObject({
      status: 404,
      message: 'not found: vpc-subnet with name "nosuch"',
    })
  })

  test('is not deleted while an instance is created in it', async () => {
    for (let round = 0; round < 5; round++) {
      const { query, subnet } = await newNetwork()
      const [deleted, created] = await Promise.all([
        server.admin.send('DELETE', `/v1/vpc-subnets/${subnet.id}`),
        server.admin.send('POST', `/v1/instances?project=${query.project}`, {
          body: {
            name: 'box',
            description: '',
            hostname: 'box',
            ncpus: 1,
            memory: 2 ** 30,
            start: false,
          },
        }),
      ])
      expect([
        [204, 404],
        [400, 201],
      ]).toContainEqual([deleted.status, created.status])
      const stranded = await server.db
        .selectFrom('network_interface as nic')
        .innerJoin('vpc_subnet as its', 'its.id', 'nic.subnet_id')
        .select('nic.id')
        .where('its.time_deleted', 'is not', null)
        .execute()
      expect(stranded).toEqual([])
    }
  })
})

describe('a VPC', () => {
  const vpcBody = (name: string, rest: object = {}) => ({
    name,
    description: '',
    dns_name: name,
    ...rest,
  })
  const create = (query: object, name: string, rest: object = {}) =>
    server.admin.call('vpc_create', { query, body: vpcBody(name, rest) } as never)
  const refusal = (query: object, name: string, rest: object = {}) =>
    server.admin.refusal('vpc_create', { query, body: vpcBody(name, rest) } as never)

  test('has the same initial contents as that of a new project', async () => {
    const { query, vpc } = await newNetwork()
    const made = await create(query, 'yard', { description: 'Behind the mill' })
    expect(made).toMatchObject({
      name: 'yard',
      description: 'Behind the mill',
      dns_name: 'yard',
      project_id: vpc.project_id,
    })
    expect(made.ipv6_prefix).toMatch(/^fd[0-9a-f]{2}:[0-9a-f]{1,4}:[0-9a-f]{1,4}::\/48$/)
    expect(await leftOf(made.id)).toEqual(await leftOf(vpc.id))
    expect(await server.admin.call('vpc_view', { params: { vpc: 'yard' }, query })).toEqual(made)
    const { items } = await server.admin.call('vpc_subnet_list', { query: { vpc: made.id } })
    expect(items).toMatchObject([
      { description: 'The default subnet for yard', ipv4_block: '172.30.0.0/22' },
    ])
  })

  test('has the requested prefix, without its host bits', async () => {
    const { query } = await newNetwork()
    const made = await create(query, 'yard', { ipv6_prefix: 'FD12:3456:789a::1/48' })
    expect(made.ipv6_prefix).toBe('fd12:3456:789a::/48')
    const { items } = await server.admin.call('vpc_subnet_list', { query: { vpc: made.id } })
    expect(items[0]!.ipv6_block).toMatch(/^fd12:3456:789a:([0-9a-f]{1,4})?:?:?\/64$/)
    const other = await create(query, 'other', { ipv6_prefix: null })
    expect(other.ipv6_prefix).not.toBe(made.ipv6_prefix)
  })

  test.each(['fd00::/64', 'fd00::/40', 'fc00::/48', 'fe00::/48', '2001:db8::/48', '::/0'])(
    'cannot have the prefix %s',
    async (ipv6_prefix) => {
      const { query, vpc } = await newNetwork()
      expect(await refusal(query, 'yard', { ipv6_prefix })).toEqual(
        invalid(
          'VPC IPv6 address prefixes must be in the Unique Local Address range `fd00::/48` (RFD 4193)',
        ),
      )
      expect((await server.admin.call('vpc_list', { query })).items).toEqual([vpc])
    },
  )

  test('requires a name that is free in the project', async () => {
    const { query } = await newNetwork()
    const taken = {
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: 'already exists: vpc "default"',
    }
    expect(await refusal(query, 'default')).toEqual(taken)
    await create(query, 'yard')
    expect(
      await server.admin.refusal('vpc_update', {
        params: { vpc: 'yard' },
        query,
        body: { name: 'default' },
      }),
    ).toEqual(taken)
  })

  test('can be renamed and described; omitted fields and its rules stay', async () => {
    const { query } = await newNetwork()
    const made = await create(query, 'yard', { description: 'Old' })
    const update = (vpc: string, body: object) =>
      server.admin.call('vpc_update', { params: { vpc }, query, body })
    const renamed = await update('yard', { name: 'field', dns_name: null })
    expect(renamed).toEqual({
      ...made,
      name: 'field',
      time_modified: renamed.time_modified,
    })
    expect(await update('field', { description: '', dns_name: 'out' })).toMatchObject({
      name: 'field',
      description: '',
      dns_name: 'out',
      ipv6_prefix: made.ipv6_prefix,
    })
    const rules = await server.db
      .selectFrom('vpc_firewall_rule')
      .select('targets')
      .where('vpc_id', '=', made.id)
      .execute()
    expect(rules.map(({ targets }) => targets)).toEqual(
      Array(3).fill('[{"type":"vpc","value":"yard"}]'),
    )
  })

  test('is also searched by its DNS name, and shows the number of its rules', async () => {
    const { query } = await newNetwork()
    await create(query, 'yard-10', { dns_name: 'zebra' })
    await create(query, 'yard-9', { dns_name: 'ape' })
    const search = async (rest: object) => {
      const page = await server.admin.call('vpc_search', { query: { ...query, ...rest } } as never)
      return page.items.map((vpc) => vpc.name)
    }
    expect(await search({ search: 'zebr' })).toEqual(['yard-10'])
    expect(await search({ sort_by: 'natural_name_ascending' })).toEqual([
      'default',
      'yard-9',
      'yard-10',
    ])
    expect(await search({ sort_by: 'dns_name_descending' })).toEqual([
      'yard-10',
      'default',
      'yard-9',
    ])
    const { items } = await server.admin.call('vpc_search', { query })
    expect(items.map((vpc) => vpc.firewall_rule_count)).toEqual([3, 3, 3])
  })

  test('is created once by many concurrent calls', async () => {
    const { query } = await newNetwork()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        server.admin.send('POST', `/v1/vpcs?project=${query.project}`, { body: vpcBody('yard') }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400, 400, 400])
    expect((await server.admin.call('vpc_list', { query })).items).toHaveLength(2)
  })

  test('is deleted once it has no subnets, with all its initial contents', async () => {
    const { project, query, vpc, subnet } = await newNetwork()
    const other = await newNetwork()
    const whole = await leftOf(other.vpc.id)
    const params = { vpc: 'default' }
    expect(await server.admin.refusal('vpc_delete', { params, query })).toEqual(
      invalid('VPC cannot be deleted while VPC Subnets exist'),
    )
    expect(await leftOf(vpc.id)).toEqual(whole)
    await deleteSubnet(subnet.id)
    await server.admin.call('vpc_delete', { params, query })
    expect(Object.values(await leftOf(vpc.id)).flat()).toEqual([])
    // The neighbour is unchanged.
    expect(await leftOf(other.vpc.id)).toEqual(whole)
    expect(await server.admin.refusal('vpc_view', { params: { vpc: vpc.id } })).toEqual(
      missing('vpc', vpc.id),
    )
    expect(await server.admin.refusal('vpc_delete', { params, query })).toMatchObject({
      status: 404,
      message: 'not found: vpc with name "default"',
    })
    expect((await server.admin.call('vpc_list', { query })).items).toEqual([])
    await server.admin.call('project_delete', { params: { project } })
  })

  test('describes what is deleted with it, and its obstacles', async () => {
    const { query, vpc, subnet } = await newNetwork()
    const params = { vpc: vpc.id }
    const told = async () => {
      const { groups } = await server.admin.call('vpc_deletion', { params })
      return groups.map(({ relation, kind, first, can_go }) => ({
        what: `${relation} ${kind} ${first.map(({ name, detail }) => [name, detail].filter(Boolean).join(' ')).join(', ')}`,
        can_go,
      }))
    }
    const its = [
      { what: 'blocks vpc_subnet default 172.30.0.0/22', can_go: true },
      {
        what: 'goes vpc_firewall_rule allow-icmp, allow-internal-inbound, allow-ssh',
        can_go: false,
      },
      { what: 'goes vpc_router system', can_go: false },
      { what: 'goes internet_gateway default', can_go: false },
    ]
    expect(await told()).toEqual(its)
    const box = await stoppedInstance(server.admin, query, 'box')
    expect(await told()).toEqual([
      { what: 'blocks network_interface net0 box', can_go: true },
      ...its,
    ])
    await server.admin.call('instance_delete', { params: { instance: box.id } })
    await deleteSubnet(subnet.id)
    expect(await told()).toEqual(its.slice(1))
  })

  test('is deleted once by many concurrent calls', async () => {
    const { query, vpc, subnet } = await newNetwork()
    const stream = new EventStream(await server.admin.fetch('/x/v1/events'))
    await stream.block()
    await deleteSubnet(subnet.id)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => server.admin.send('DELETE', `/v1/vpcs/${vpc.id}`)),
    )
    const [first, ...others] = answers.toSorted((a, b) => a.status - b.status)
    expect(first!.status).toBe(204)
    for (const { body } of others) {
      expect([DELETION_RACED, missing('vpc', vpc.id).message]).toContain(
        (body as { message: string }).message,
      )
    }
    // One event, after that of its subnet.
    await server.admin.call('project_update', {
      params: { project: query.project },
      body: { description: 'last' },
    })
    const said: string[] = []
    for (;;) {
      const { resource, action, resource_id, project_id } = await stream.change()
      // A stream may begin with events committed just before it.
      if (project_id !== vpc.project_id || action === 'create') continue
      said.push(`${resource} ${action} ${resource_id}`)
      if (resource === 'projects') break
    }
    expect(said).toEqual([
      `subnets delete ${subnet.id}`,
      `vpcs delete ${vpc.id}`,
      `projects update ${vpc.project_id}`,
    ])
    await stream.close()
  })

  test('is not deleted while a subnet is created in it', async () => {
    const { query, vpc, subnet } = await newNetwork()
    const [vpcAnswer, subnetAnswer] = await Promise.all([
      server.admin.send('DELETE', `/v1/vpcs/default?project=${query.project}`),
      server.admin.send('DELETE', `/v1/vpc-subnets/${subnet.id}`),
    ])
    expect(subnetAnswer.status).toBe(204)
    // Before the subnet, or after it.
    if (vpcAnswer.status === 400) {
      expect((vpcAnswer.body as { message: string }).message).toBe(kinds.vpc.deletion.refusal)
      await deleteVpc(vpc.id)
    } else expect(vpcAnswer.status).toBe(204)
    expect(Object.values(await leftOf(vpc.id)).flat()).toEqual([])
  })
})
