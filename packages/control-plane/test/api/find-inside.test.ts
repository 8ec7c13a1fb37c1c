/** Pools and external subnets are found by any address in them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { addPool, addSubnetPool } from '../support/networks.ts'

let server: TestServer
let admin: Caller
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'mill', description: '' } })
  await addPool(server.db, 'east', { first: '198.18.0.10', last: '198.18.0.20' })
  await addPool(server.db, 'west', {
    ip_version: 'v6',
    first: '2001:db8:1::',
    last: '2001:db8:1::ffff',
  })
  const linked = { siloId: server.siloId }
  await addSubnetPool(server.db, 'yards', ['203.0.113.0/24'], { ...linked, isDefault: true })
  await addSubnetPool(server.db, 'sixes', ['2001:db8:2::/48'], linked)
  const external = (name: string, subnet: string) =>
    admin.call('external_subnet_create', {
      query: { project: 'mill' },
      body: { name, description: '', allocator: { type: 'explicit', subnet } },
    })
  await external('yard', '203.0.113.64/28')
  await external('garden', '203.0.113.80/32')
  await external('six', '2001:db8:2:5::/64')
})
afterAll(() => server.close())

test.each([
  ['198.18.0.10', ['east']],
  ['198.18.0.17', ['east']],
  ['198.18.0.20', ['east']],
  ['198.18.0.21', []],
  ['[2001:db8:1::f]', ['west']],
  ['203.0.113.79', ['yards', 'yard']],
  ['203.0.113.80', ['yards', 'garden']],
  ['203.0.113.81', ['yards']],
  ['2001:0db8:2:5:1::9', ['sixes', 'six']],
])('%s', async (text, names) => {
  const { items } = await admin.call('find', { query: { text } })
  expect(items.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  for (const { matched, address } of items) {
    expect(matched).toBe('address')
    expect(address).not.toBeNull()
  }
  const search = text.replaceAll(/[[\]]/g, '')
  const lists = await Promise.all([
    admin.call('system_ip_pool_search', { query: { search } }),
    admin.call('system_subnet_pool_search', { query: { search } }),
    admin.call('external_subnet_search', { query: { project: 'mill', search } }),
  ])
  const listed = lists.flatMap((list) => (list.items as { name: string }[]).map(({ name }) => name))
  expect(listed.toSorted()).toEqual(names.toSorted())
})

test('hides pools from callers who may not read them', async () => {
  const { caller } = await server.createUser('member', { silo: 'viewer' })
  const { items } = await caller.call('find', { query: { text: '203.0.113.79' } })
  expect(items.map(({ name }) => name)).toEqual(['yard'])
})
