/** Simulated guests on the network: their attempts agree with the API's reachability answers. */
import type { Wire } from '@steading/api'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createGuestNetwork } from '../../src/guest-network.ts'
import { createRows } from '../../src/rows.ts'
import { createNetworks } from '../../../control-plane/src/resources/networking/reachability/networks.ts'
import type { Caller } from '../../../control-plane/test/support/caller.ts'
import { viewConsole } from '../../../control-plane/test/support/console.ts'
import { startTestServer, type TestServer } from '../../../control-plane/test/support/harness.ts'
import { addPool } from '../../../control-plane/test/support/networks.ts'
import { reaches, smallInstance } from '../../../control-plane/test/support/things.ts'

let server: TestServer
let admin: Caller
const project = { project: 'shop' }
const query = { ...project, vpc: 'default' }
const names = ['web', 'db', 'cache'] as const
const ids: Record<string, string> = {}

const userData = btoa('#cloud-config\npackages:\n  - postgresql-16\n')

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'shop', description: '' } })
  const { db, siloId } = server
  await addPool(db, 'front', { first: '198.51.100.0', last: '198.51.100.99', siloId })
  for (const name of names) {
    const external_ips =
      name === 'web'
        ? [{ type: 'ephemeral', pool_selector: { type: 'explicit', pool: 'front' } }]
        : []
    const user_data = name === 'db' ? userData : ''
    const { id } = await admin.call('instance_create', {
      query: project,
      body: smallInstance(name, { start: true, external_ips, user_data }),
    })
    await reaches(admin, id, 'running')
    ids[name] = id
  }
})
afterAll(() => server.close())

/** Network access of a guest's programs. */
async function networkOf(name: string) {
  const { database } = server.host.controlPlane
  const { vm_id } = await server.db
    .selectFrom('instance')
    .select('vm_id')
    .where('id', '=', ids[name]!)
    .executeTakeFirstOrThrow()
  return createGuestNetwork(vm_id!, createRows(database), createNetworks(server.db))
}

async function privateOf(probe: string) {
  const view = await admin.call('probe_view', { params: { probe }, query: project })
  const { ip_config } = view.interface
  if (ip_config.type !== 'dual_stack') throw new Error('a probe has addresses of both versions')
  return { v4: ip_config.value.v4.ip, v6: ip_config.value.v6.ip }
}

/** The console of a guest, at its prompt. */
async function consoleOf(name: string) {
  const view = viewConsole(server.url, admin, ids[name]!)
  await view.opened
  await vi.waitFor(() => expect(view.seen()).toContain(`${name}:~# `), 30_000)
  return {
    type: (line: string) => view.type(`${line}\r`),
    /** Waits for output of the guest, and returns it. */
    says: (text: RegExp): Promise<string> =>
      vi.waitFor(() => view.seen().match(text)?.[0] ?? Promise.reject(new Error(view.seen())), {
        timeout: 120_000,
      }),
  }
}

test('a probe answers echo requests while its sled responds, and listens on no port', async () => {
  // A sled without instances of this file.
  const { items } = await admin.call('sled_search')
  const sled = items.find(({ used_hardware_threads: used }) => used === 0)!
  const made = await admin.call('probe_create', {
    query: project,
    body: { name: 'echo', description: '', sled: sled.id },
  })
  const { external_ips } = await admin.call('probe_view', {
    params: { probe: made.id },
    query: project,
  })
  const network = await networkOf('web')
  const external = external_ips[0]!.ip
  const { v4 } = await privateOf(made.id)
  for (const host of [v4, external]) {
    expect(await network.reach({ host, version: undefined, protocol: 'icmp' })).toMatchObject({
      result: 'open',
    })
    expect(
      await network.reach({ host, version: undefined, protocol: 'tcp', port: 22 }),
    ).toMatchObject({
      result: 'refused',
    })
  }
  const asked = {
    query: { ...project, vpc: 'default' },
    body: {
      from: { type: 'internet' as const },
      to: { type: 'address' as const, address: external },
      protocol: 'icmp' as const,
    },
  }
  const answer = await admin.call('reachability_test', asked)
  expect(answer).toMatchObject({ reachable: true, reason: 'It arrives at probe echo (echo).' })
  expect(answer.there.at(-1)).toMatchObject({ instance: null, interface: { name: 'echo' } })
  await admin.call('sled_expunge', { params: { sled_id: sled.id } })
  expect(await admin.call('reachability_test', asked)).toMatchObject({
    reachable: false,
    reason: 'Probe echo is failed.',
  })
  expect(await network.reach({ host: v4, version: undefined, protocol: 'icmp' })).toMatchObject({
    result: 'lost',
  })
  await admin.call('probe_delete', { params: { probe: made.id }, query: project })
})

const ruleEnd = fc.oneof(
  fc.constant({ type: 'vpc' as const, value: 'default' }),
  fc.constantFrom(...names).map((value) => ({ type: 'instance' as const, value })),
  fc.constant({ type: 'ip_net' as const, value: '172.30.0.0/16' }),
  fc.constant({ type: 'ip_net' as const, value: '0.0.0.0/0' }),
)
const rules = fc
  .array(
    fc.record({
      description: fc.constant(''),
      status: fc.constant('enabled' as const),
      direction: fc.constantFrom('inbound' as const, 'outbound' as const),
      targets: fc.array(ruleEnd, { minLength: 1, maxLength: 2 }),
      filters: fc.record({
        hosts: fc.option(fc.array(ruleEnd, { maxLength: 2 })),
        protocols: fc.option(fc.constant([{ type: 'tcp' as const }])),
        ports: fc.option(fc.constantFrom(['22'], ['80-443'], ['5432', '22'])),
      }),
      action: fc.constantFrom('allow' as const, 'allow' as const, 'deny' as const),
      priority: fc.nat(3),
    }),
    { maxLength: 6 },
  )
  .map((list) => list.map((rule, index) => ({ ...rule, name: `rule-${index}` })))

test('a guest gets an answer exactly if the API predicts one', async () => {
  const results = new Set<string>()
  await fc.assert(
    fc.asyncProperty(rules, async (list) => {
      await admin.call('vpc_firewall_rules_update', { query, body: { rules: list } })
      for (const from of names) {
        const network = await networkOf(from)
        for (const to of [...names, '8.8.8.8']) {
          if (from === to) continue
          for (const port of [22, 80]) {
            const reached = await network.reach({
              host: to,
              version: 'v4',
              protocol: 'tcp',
              port,
            })
            const { reachable } = await admin.call('reachability_test', {
              query: project,
              body: {
                from: { type: 'instance', instance: from },
                to:
                  to === '8.8.8.8'
                    ? { type: 'address', address: to }
                    : { type: 'instance', instance: to },
                protocol: 'tcp',
                port,
                ip_version: 'v4',
              },
            })
            results.add(reached.result)
            expect(reached.result !== 'lost', `${from} to ${to}, port ${port}`).toBe(reachable)
          }
        }
      }
    }),
    { numRuns: 3, examples: [[[]]] },
  )
  expect(results.has('lost')).toBe(true)
})

const open: Wire.VpcFirewallRuleUpdate[] = [
  {
    name: 'all',
    description: '',
    status: 'enabled',
    direction: 'inbound',
    targets: [{ type: 'vpc', value: 'default' }],
    filters: { hosts: null, protocols: null, ports: null },
    action: 'allow',
    priority: 0,
  },
]

test('listening ports are SSH, the packages of user data, and a program at the console', async () => {
  await admin.call('vpc_firewall_rules_update', { query, body: { rules: open } })
  const network = await networkOf('web')
  const resultOf = async (host: string, port: number) =>
    (await network.reach({ host, version: undefined, protocol: 'tcp', port })).result
  expect(await resultOf('db', 22)).toBe('open')
  expect(await resultOf('db', 5432)).toBe('open')
  expect(await resultOf('cache', 5432)).toBe('refused')
  const listener = await (await networkOf('cache')).listen(5432)
  expect(await (await networkOf('cache')).listen(5432)).toBeUndefined()
  expect(await listener!.heard()).toBeUndefined()
  expect(await resultOf('cache', 5432)).toBe('open')
  expect(await listener!.heard()).toMatch(/^172\.30\.0\.\d+ \d+$/)
  await listener!.close()
  expect(await resultOf('cache', 5432)).toBe('refused')
})

test('names resolve to instances of the VPC, with or without its DNS name', async () => {
  const network = await networkOf('web')
  const reach = (host: string, version?: 'v4' | 'v6') =>
    network.reach({ host, version, protocol: 'icmp' })
  expect(await reach('db.default')).toEqual(await reach('db'))
  expect(await reach('db', 'v6')).toMatchObject({ address: expect.stringMatching(/^fd/) })
  expect(await reach('nobody')).toEqual({ result: 'unknown' })
  expect(await reach('localhost')).toEqual({ result: 'open', address: '127.0.0.1' })
})

test('at the console, nc and ping distinguish refused from lost', async () => {
  await admin.call('vpc_firewall_rules_update', { query, body: { rules: open } })
  const [web, cache] = [await consoleOf('web'), await consoleOf('cache')]
  web.type('ping -c 1 db')
  await web.says(/1 packets transmitted, 1 received, 0% packet loss/)
  web.type('nc -zv cache 6379')
  await web.says(/nc: connect to \S+ port 6379 \(tcp\) failed: Connection refused/)
  cache.type('nc -lv 6379')
  await cache.says(/Listening on 0.0.0.0 6379/)
  web.type('nc -zv cache 6379')
  await web.says(/Connection to \S+ 6379 port \[tcp\/\*\] succeeded!/)
  await cache.says(/Connection received on 172\.30\.0\.\d+/)
  await admin.call('vpc_firewall_rules_update', { query, body: { rules: [] } })
  web.type('nc -zv -w 0.1 cache 6379')
  await web.says(/port 6379 \(tcp\) failed: Connection timed out/)
  web.type('nc -zv nobody 22')
  expect(await web.says(/nc: getaddrinfo.*known/)).toBe(
    'nc: getaddrinfo for host "nobody" port 22: Name or service not known',
  )
})
