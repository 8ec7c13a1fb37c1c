/** Control plane specification 8.2: subnets, their blocks and their routes. */
import { contains, type Network, parseNetwork } from '@steading/api/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { stoppedInstance } from '../../support/things.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let count = 0
/** A new project, with a VPC besides its default one. */
async function newVpc(ipv6_prefix = 'fd00:1:2::/48') {
  const project = `project-${count++}`
  await server.admin.call('project_create', { body: { name: project, description: '' } })
  const vpc = await server.admin.call('vpc_create', {
    query: { project },
    body: { name: 'yard', description: '', dns_name: 'yard', ipv6_prefix },
  })
  return { project, vpc, query: { project, vpc: 'yard' } }
}

type Query = { project: string; vpc: string }
const body = (name: string, ipv4_block: string, rest: object = {}) => ({
  name,
  description: '',
  ipv4_block,
  ...rest,
})
const create = (query: Query, name: string, block: string, rest: object = {}) =>
  server.admin.call('vpc_subnet_create', { query, body: body(name, block, rest) })
const refusal = (query: Query, name: string, block: string, rest: object = {}) =>
  server.admin.refusal('vpc_subnet_create', { query, body: body(name, block, rest) })
const subnetsOf = async (query: Query) =>
  (await server.admin.call('vpc_subnet_list', { query: { ...query, limit: 1000 } })).items

/** The routes of the system router of a VPC, with their destinations. */
async function systemRoutes(query: Query): Promise<Record<string, string>> {
  const { items } = await server.admin.call('vpc_router_route_list', {
    query: { ...query, router: 'system' },
  })
  return Object.fromEntries(
    items.map(({ name, destination }) => [name, `${destination.type} ${destination.value}`]),
  )
}

const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })

describe('a new subnet', () => {
  test('has its route, and a random block of the prefix', async () => {
    const { query, vpc } = await newVpc()
    const made = await create(query, 'public', '10.0.0.0/24', { description: 'Faces the street' })
    expect(made).toMatchObject({
      name: 'public',
      description: 'Faces the street',
      vpc_id: vpc.id,
      ipv4_block: '10.0.0.0/24',
      custom_router_id: null,
    })
    expect(contains(parseNetwork(vpc.ipv6_prefix)!, parseNetwork(made.ipv6_block)!)).toBe(true)
    expect(parseNetwork(made.ipv6_block)!.width).toBe(64)
    expect(await systemRoutes(query)).toMatchObject({ public: 'subnet public' })
    expect(
      await server.admin.call('vpc_subnet_view', { params: { subnet: 'public' }, query }),
    ).toEqual(made)
    const both = await create(query, 'private', '10.0.1.0/24', { ipv6_block: 'fd00:1:2:3::/64' })
    expect(both.ipv6_block).toBe('fd00:1:2:3::/64')
  })

  test('gives its sixth address to the first interface, in both versions', async () => {
    const { project, query } = await newVpc()
    await create(query, 'public', '192.168.7.0/26', { ipv6_block: 'fd00:1:2:3::/64' })
    const network_interfaces = {
      type: 'create',
      params: [{ name: 'net0', description: '', vpc_name: 'yard', subnet_name: 'public' }],
    }
    await stoppedInstance(server.admin, { project }, 'box', { network_interfaces })
    const { items } = await server.admin.call('instance_network_interface_list', {
      query: { project, instance: 'box' },
    })
    expect(items[0]!.ip_stack).toMatchObject({
      value: { v4: { ip: '192.168.7.5' }, v6: { ip: 'fd00:1:2:3::5' } },
    })
  })

  const notPrivate = 'VPC Subnet IPv4 address ranges must be from a private range'
  const length =
    'VPC Subnet IPv4 address ranges must have prefix length between 8 and 26, inclusive'
  test.each([
    ['8.8.8.0/24', notPrivate],
    ['0.0.0.0/0', notPrivate],
    ['10.0.0.0/7', undefined],
    ['172.0.0.0/8', notPrivate],
    ['192.168.0.0/15', undefined],
    ['192.160.0.0/12', notPrivate],
    ['10.0.0.0/27', length],
    ['192.168.0.0/32', length],
  ])('cannot have the IPv4 block %s', async (block, message) => {
    const { query } = await newVpc()
    const refused = await refusal(query, 'public', block)
    // Blocks with host bits are not networks, and refused as malformed.
    expect(refused).toMatchObject(message ? invalid(message) : { status: 400 })
    expect(await subnetsOf(query)).toHaveLength(1)
  })

  test.each(['10.0.0.0/8', '172.16.0.0/13', '192.168.0.0/16', '192.168.255.192/26'])(
    'can have the IPv4 block %s',
    async (block) => {
      const { query } = await newVpc()
      expect((await create(query, 'public', block)).ipv4_block).toBe(block)
    },
  )

  test.each(['fd00:1:3::/64', 'fd00:1:2::/63', 'fd00:1:2::/48', 'fd00:1:2:1::/65'])(
    'cannot have the IPv6 block %s',
    async (ipv6_block) => {
      const { query } = await newVpc()
      expect(await refusal(query, 'public', '10.0.0.0/24', { ipv6_block })).toEqual(
        invalid(
          `VPC Subnet IPv6 address range '${ipv6_block}' is not valid for VPC with IPv6 prefix 'fd00:1:2::/48'`,
        ),
      )
    },
  )

  test('requires a name and blocks that are free in the VPC', async () => {
    const { query } = await newVpc()
    await create(query, 'public', '10.0.0.0/24', { ipv6_block: 'fd00:1:2:3::/64' })
    expect(await refusal(query, 'public', '10.0.1.0/24')).toEqual({
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: 'already exists: vpc-subnet "public"',
    })
    const conflict = (block: string) =>
      invalid(`IP address range '${block}' conflicts with an existing subnet`)
    for (const block of ['10.0.0.0/24', '10.0.0.0/16', '10.0.0.128/26', '172.30.0.0/16']) {
      expect(await refusal(query, 'other', block)).toEqual(conflict(block))
    }
    expect(await refusal(query, 'other', '10.0.1.0/24', { ipv6_block: 'fd00:1:2:3::/64' })).toEqual(
      conflict('fd00:1:2:3::/64'),
    )
    // Refused creates leave nothing behind, and another VPC has its own blocks.
    expect(await systemRoutes(query)).not.toHaveProperty('other')
    await create((await newVpc()).query, 'public', '10.0.0.0/24')
  })

  test('may have the blocks of a deleted one', async () => {
    const { query } = await newVpc()
    const block = { ipv6_block: 'fd00:1:2:3::/64' }
    const { id } = await create(query, 'public', '10.0.0.0/24', block)
    await server.admin.call('vpc_subnet_delete', { params: { subnet: id } })
    expect(await systemRoutes(query)).not.toHaveProperty('public')
    await create(query, 'public', '10.0.0.0/24', block)
  })

  test('named like a default route has a route with a different name', async () => {
    const { query } = await newVpc()
    const subnet = await create(query, 'default-v4', '10.0.0.0/24')
    const named = Object.entries(await systemRoutes(query))
    expect(named).toContainEqual(['default-v4', 'ip_net 0.0.0.0/0'])
    const [route] = named.find(([, destination]) => destination === 'subnet default-v4')!
    expect(route).toMatch(/^default-v4-[0-9a-f-]{36}$/)
    await server.admin.call('vpc_subnet_delete', { params: { subnet: subnet.id } })
    expect(Object.keys(await systemRoutes(query)).toSorted()).toEqual([
      'default',
      'default-v4',
      'default-v6',
    ])
  })
})

describe('blocks', () => {
  /** Networks in a small range, so that many of them overlap. */
  const network = fc
    .record({ width: fc.integer({ min: 16, max: 26 }), place: fc.nat({ max: 2 ** 10 }) })
    .map(({ width, place }): string => {
      const value = (place % 2 ** (width - 16)) * 2 ** (32 - width)
      return `10.7.${Math.floor(value / 256)}.${value % 256}/${width}`
    })
  const share = (a: Network, b: Network) => contains(a, b) || contains(b, a)

  test('are accepted exactly when they do not overlap with another', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: network },
      { weight: 1, arbitrary: fc.nat({ max: 20 }) },
    )
    const steps = fc.array(step, { minLength: 20, maxLength: 30 })
    const property = fc.asyncProperty(steps, async (wanted) => {
      const { query } = await newVpc()
      const there = new Map<string, string>()
      for (const [index, what] of wanted.entries()) {
        if (typeof what === 'number') {
          const [id] = [...there].at(what % Math.max(there.size, 1)) ?? []
          if (!id) continue
          await server.admin.call('vpc_subnet_delete', { params: { subnet: id } })
          there.delete(id)
          continue
        }
        const answer = await server.admin.send(
          'POST',
          `/v1/vpc-subnets?project=${query.project}&vpc=yard`,
          { body: body(`subnet-${index}`, what) },
        )
        const taken = [...there.values()].some((block) =>
          share(parseNetwork(block)!, parseNetwork(what)!),
        )
        expect([what, answer.status]).toEqual([what, taken ? 400 : 201])
        if (!taken) there.set((answer.body as { id: string }).id, what)
      }
    })
    await fc.assert(property, { numRuns: 4 })
  })

  test('never overlap, however many are created at once', async () => {
    const { query, project } = await newVpc()
    const blocks = Array.from({ length: 16 }, (_, i) => `10.0.0.0/${8 + i}`)
    const beside = Array.from({ length: 8 }, (_, i) => `192.168.${i}.0/24`)
    const answers = await Promise.all(
      [...blocks, ...beside].map((block, i) =>
        server.admin.send('POST', `/v1/vpc-subnets?project=${project}&vpc=yard`, {
          body: body(`subnet-${i}`, block),
        }),
      ),
    )
    expect(answers.slice(0, 16).filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.slice(16).map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(await subnetsOf(query)).toHaveLength(10)
  })
})

describe('a change of a subnet', () => {
  const update = (query: Query, subnet: string, change: object) =>
    server.admin.call('vpc_subnet_update', { params: { subnet }, query, body: change })

  test('renames its route too, and keeps omitted fields', async () => {
    const { query } = await newVpc()
    const made = await create(query, 'public', '10.0.0.0/24', { description: 'Old' })
    const renamed = await update(query, 'public', { name: 'street' })
    expect(renamed).toEqual({ ...made, name: 'street', time_modified: renamed.time_modified })
    expect(await systemRoutes(query)).toMatchObject({ street: 'subnet street' })
    expect(await systemRoutes(query)).not.toHaveProperty('public')
    expect(await update(query, 'street', { description: '' })).toMatchObject({
      name: 'street',
      description: '',
    })
    await server.admin.call('vpc_subnet_delete', { params: { subnet: made.id } })
    expect(await systemRoutes(query)).not.toHaveProperty('street')
  })

  test('refuses a name that is taken', async () => {
    const { query } = await newVpc()
    await create(query, 'public', '10.0.0.0/24')
    expect(
      await server.admin.refusal('vpc_subnet_update', {
        params: { subnet: 'public' },
        query,
        body: { name: 'default' },
      }),
    ).toMatchObject({ message: 'already exists: vpc-subnet "default"' })
    expect(await systemRoutes(query)).toMatchObject({ public: 'subnet public' })
  })

  test('sets a custom router of its VPC, by name or id, or removes it', async () => {
    const { query, project } = await newVpc()
    const router = await server.admin.call('vpc_router_create', {
      query,
      body: { name: 'by-hand', description: '' },
    })
    const made = await create(query, 'public', '10.0.0.0/24', { custom_router: 'by-hand' })
    expect(made.custom_router_id).toBe(router.id)
    expect(await update(query, 'public', { description: 'x' })).toMatchObject({
      custom_router_id: null,
    })
    expect(await update(query, 'public', { custom_router: router.id })).toMatchObject({
      custom_router_id: router.id,
    })
    expect(await update(query, 'public', { custom_router: null })).toMatchObject({
      custom_router_id: null,
    })
    const refuse = (custom_router: string, there = query) =>
      server.admin.refusal('vpc_subnet_update', {
        params: { subnet: 'default' },
        query: there,
        body: { custom_router },
      })
    expect(await refuse('system')).toEqual(invalid('cannot attach a system router to a VPC subnet'))
    expect(await refuse(router.id, { project, vpc: 'default' })).toEqual(
      invalid('a router can only be attached to a subnet when both belong to the same VPC'),
    )
    expect(await refuse('nosuch')).toMatchObject({
      status: 404,
      message: 'not found: vpc-router with name "nosuch"',
    })
  })
})

describe('lists of subnets', () => {
  test('are searched by their blocks, and sorted by address', async () => {
    const { query } = await newVpc()
    await create(query, 'b', '10.0.10.0/24', { ipv6_block: 'fd00:1:2:a::/64' })
    await create(query, 'a', '10.0.9.0/24', { ipv6_block: 'fd00:1:2:b::/64' })
    const search = async (rest: object) => {
      const page = await server.admin.call('vpc_subnet_search', {
        query: { ...query, ...rest },
      } as never)
      return page.items.map(({ name }) => name)
    }
    expect(await search({ sort_by: 'ipv4_block_ascending' })).toEqual(['a', 'b', 'default'])
    expect(await search({ sort_by: 'ipv6_block_ascending', search: 'fd00:1:2:' })).toHaveLength(3)
    expect(await search({ search: '10.0.10' })).toEqual(['b'])
    expect(await search({ search: '1:2:b::' })).toEqual(['a'])
  })

  test('of the interfaces in a subnet come in pages, although names repeat', async () => {
    const { project } = await newVpc()
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await stoppedInstance(server.admin, { project }, name)
    }
    const query = { project, vpc: 'default' }
    for (const sort_by of ['name_ascending', 'name_descending', 'id_ascending'] as const) {
      const seen: string[] = []
      let page_token: string | undefined
      do {
        const page = await server.admin.call('vpc_subnet_list_network_interfaces', {
          params: { subnet: 'default' },
          query: page_token ? { limit: 2, page_token } : { ...query, sort_by, limit: 2 },
        })
        expect(page.items.every(({ name }) => name === 'net0')).toBe(true)
        seen.push(...page.items.map(({ instance_id }) => instance_id))
        page_token = page.next_page ?? undefined
        expect(page.items.length).toBeLessThanOrEqual(2)
      } while (page_token)
      expect(new Set(seen).size).toBe(5)
      expect(seen).toHaveLength(5)
    }
  })
})
