/** Control plane specification 8.3: the rules of a VPC, which are replaced as a whole. */
import type { Wire } from '@steading/api'
import { RESOURCE_CHANGED } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addVpc } from '../../support/networks.ts'
import { firewallRule } from '../../support/things.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type Rule = Wire.VpcFirewallRuleUpdate

const rule = (name: string, values: Partial<Rule> = {}): Rule =>
  firewallRule(name, { filters: { hosts: null, ports: null, protocols: null }, ...values })
const many = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => item(index))

let count = 0
/** A new project, and the operations on the rules of its VPC. */
async function newVpc() {
  const project = `project-${count++}`
  const query = { project, vpc: 'default' }
  const { id } = await server.admin.call('project_create', {
    body: { name: project, description: '' },
  })
  const path = `/v1/vpc-firewall-rules?project=${project}&vpc=default`
  return {
    projectId: id,
    project,
    query,
    view: async () => (await server.admin.call('vpc_firewall_rules_view', { query })).rules,
    replace: async (rules: Rule[]) =>
      (await server.admin.call('vpc_firewall_rules_update', { query, body: { rules } })).rules,
    refusal: (rules: Rule[]) =>
      server.admin.refusal('vpc_firewall_rules_update', { query, body: { rules } }),
    send: (method: 'GET' | 'PUT', headers: Record<string, string>, body?: object) =>
      server.admin.send(method, path, { body, headers }),
  }
}

/** A rule in the form for sending it again. */
const sent = (view: Wire.VpcFirewallRule): Rule => {
  const { name, description, status, direction, targets, filters, action, priority } = view
  return { name, description, status, direction, targets, filters, action, priority }
}
const names = (rules: { name: string }[]) => rules.map(({ name }) => name)

describe('the rules of a VPC', () => {
  test('by default permit inbound traffic from inside, SSH and ICMP', async () => {
    const { view, project } = await newVpc()
    const vpc = await server.admin.call('vpc_view', {
      params: { vpc: 'default' },
      query: { project },
    })
    const inbound = (name: string, description: string, filters: object) => ({
      ...rule(name, { description, priority: 65534 }),
      filters: { hosts: null, ports: null, protocols: null, ...filters },
      vpc_id: vpc.id,
    })
    expect(await view()).toMatchObject([
      inbound('allow-icmp', 'allow inbound ICMP traffic from anywhere', {
        protocols: [{ type: 'icmp', value: null }],
      }),
      inbound(
        'allow-internal-inbound',
        'allow inbound traffic to all instances within the VPC if originated within the VPC',
        { hosts: [{ type: 'vpc', value: 'default' }] },
      ),
      inbound('allow-ssh', 'allow inbound TCP connections on port 22 from anywhere', {
        protocols: [{ type: 'tcp' }],
        ports: ['22'],
      }),
    ])
  })

  test('are replaced by others, sorted by name, with all their fields', async () => {
    const { replace, view } = await newVpc()
    const whole = rule('b', {
      description: 'everything',
      status: 'disabled',
      direction: 'outbound',
      action: 'deny',
      priority: 65535,
      targets: [
        { type: 'vpc', value: 'default' },
        { type: 'subnet', value: 'nosuch' },
        { type: 'instance', value: 'nobody' },
        { type: 'ip', value: '10.0.0.1' },
        { type: 'ip', value: 'fd00::1' },
        { type: 'ip_net', value: '10.1.1.1/24' },
        { type: 'ip_net', value: 'fd00::/64' },
      ],
      filters: {
        hosts: [{ type: 'ip_net', value: '0.0.0.0/0' }],
        ports: ['22', '6000-7000'],
        protocols: [
          { type: 'tcp' },
          { type: 'udp' },
          { type: 'icmp', value: null },
          { type: 'icmp', value: { icmp_type: 3, code: '1-4' } },
          { type: 'icmp6', value: { icmp_type: 128, code: null } },
        ],
      },
    })
    const answer = await replace([whole, rule('a', { priority: 0, targets: [] })])
    expect(answer.map(sent)).toEqual([rule('a', { priority: 0, targets: [] }), whole])
    expect(await view()).toEqual(answer)
  })

  test('get new ids each time; rules that keep their name keep their creation time', async () => {
    const { replace, view } = await newVpc()
    const before = await replace([rule('stays'), rule('changes'), rule('goes')])
    const after = await replace([rule('stays'), rule('changes', { priority: 7 }), rule('comes')])
    const ids = [...before, ...after].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const byName = (rules: Wire.VpcFirewallRule[], name: string) =>
      rules.find((each) => each.name === name)!
    const times = (rules: Wire.VpcFirewallRule[], name: string) => {
      const { time_created, time_modified } = byName(rules, name)
      return { time_created, time_modified }
    }
    expect(times(after, 'stays')).toEqual(times(before, 'stays'))
    const changed = times(after, 'changes')
    expect(changed.time_created).toBe(times(before, 'changes').time_created)
    expect(changed.time_modified >= times(before, 'changes').time_modified).toBe(true)
    expect(names(await view())).toEqual(['changes', 'comes', 'stays'])
  })

  test('may be none at all', async () => {
    const { replace, view, send } = await newVpc()
    expect(await replace([])).toEqual([])
    expect(await view()).toEqual([])
    await replace([rule('a')])
    expect((await send('PUT', {}, {})).body).toEqual({ rules: [] })
  })

  test('belong to one VPC', async () => {
    const { replace, view, projectId, project } = await newVpc()
    await addVpc(server.db, projectId, 'other')
    const other = { project, vpc: 'other' }
    await server.admin.call('vpc_firewall_rules_update', {
      query: other,
      body: { rules: [rule('a', { targets: [{ type: 'vpc', value: 'other' }] })] },
    })
    await replace([])
    expect(
      names((await server.admin.call('vpc_firewall_rules_view', { query: other })).rules),
    ).toEqual(['a'])
    expect(await view()).toEqual([])
  })

  test('are accepted up to the limits, and can be found', async () => {
    const { replace, view, refusal } = await newVpc()
    const full = many(1024, (index) => rule(`rule-${String(index).padStart(4, '0')}`))
    expect(names(await replace(full))).toEqual(names(full))
    expect(await refusal([...full, rule('one-more')])).toEqual({
      status: 400,
      error_code: 'InvalidValue',
      message: 'unsupported value for "rules": max length 1024',
    })
    expect(names(await view())).toEqual(names(full))
    const parts = {
      hosts: many(256, (index) => ({ type: 'subnet' as const, value: `s${index}` })),
      ports: many(256, (index) => String(index + 1)),
      protocols: many(256, () => ({ type: 'tcp' as const })),
    }
    const [large] = await replace([rule('large', { targets: parts.hosts, filters: parts })])
    expect(sent(large!).filters).toEqual(parts)
  })

  const host = { type: 'subnet', value: 'a' } as const
  const other = { type: 'vpc', value: 'other' } as const
  const value = (label: string, text: string) => ({
    status: 400,
    error_code: 'InvalidValue',
    message: `unsupported value for "${label}": ${text}`,
  })
  const request = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })
  test.each<[string, Rule[], object]>([
    [
      '257 targets',
      [rule('a', { targets: many(257, () => host) })],
      value('targets', 'max length 256'),
    ],
    [
      '257 hosts',
      [rule('a', { filters: { hosts: many(257, () => host) } })],
      value('filters.hosts', 'max length 256'),
    ],
    [
      '257 ports',
      [rule('a', { filters: { ports: many(257, () => '1') } })],
      value('filters.ports', 'max length 256'),
    ],
    [
      '257 protocols',
      [rule('a', { filters: { protocols: many(257, () => ({ type: 'tcp' as const })) } })],
      value('filters.protocols', 'max length 256'),
    ],
    [
      'names that occur twice',
      ['a', 'b', 'b', 'a'].map((name) => rule(name)),
      value('rules', 'Rule names must be unique. Duplicates: ["b", "a"]'),
    ],
    [
      'ports that end before they begin',
      [rule('a', { filters: { ports: ['2-1'] } })],
      value('l4_port_range', 'range has larger start value than end value'),
    ],
    [
      'codes that end before they begin',
      [
        rule('a', {
          filters: { protocols: [{ type: 'icmp', value: { icmp_type: 3, code: '2-1' } }] },
        }),
      ],
      value('code', 'range has larger start value than end value'),
    ],
    [
      'another VPC as a target',
      [rule('a', { targets: [other] })],
      request('cross-VPC firewall target unsupported'),
    ],
    [
      'another VPC as a host',
      [rule('a', { filters: { hosts: [other] } })],
      request('cross-VPC firewall host filter unsupported'),
    ],
  ])('are unchanged by %s', async (_, rules, refused) => {
    const { refusal, view } = await newVpc()
    const before = await view()
    expect(await refusal([rule('first'), ...rules])).toEqual(refused)
    expect(await view()).toEqual(before)
  })
})

describe('rules changed by several clients', () => {
  const put = async (
    { send }: Pick<Awaited<ReturnType<typeof newVpc>>, 'send'>,
    etag: string,
    rules: Rule[],
  ) => {
    const { status, body } = await send('PUT', { 'if-match': etag }, { rules })
    return [status, (body as { error_code?: string }).error_code]
  }
  const etagOf = async ({ send }: Pick<Awaited<ReturnType<typeof newVpc>>, 'send'>) =>
    (await send('GET', {})).headers.get('etag')!

  test('do not undo each other if the clients use if-match', async () => {
    const vpc = await newVpc()
    const etag = await etagOf(vpc)
    const outcomes = await Promise.all([
      put(vpc, etag, [rule('mine')]),
      put(vpc, etag, [rule('theirs')]),
    ])
    expect(outcomes.toSorted()).toEqual([
      [200, undefined],
      [412, 'PreconditionFailed'],
    ])
    const kept = await vpc.view()
    expect(kept).toHaveLength(1)
    const late = await vpc.send('PUT', { 'if-match': etag }, { rules: [] })
    expect((late.body as { message: string }).message).toBe(RESOURCE_CHANGED)
    expect(await vpc.view()).toEqual(kept)
    expect(await put(vpc, `W/"x", ${await etagOf(vpc)}`, [rule('next')])).toEqual([200, undefined])
    expect(await put(vpc, '*', [rule('any')])).toEqual([200, undefined])
  })

  test('are one set or the other without if-match', async () => {
    const { replace, view } = await newVpc()
    const sets = many(8, (index) => many(40, (item) => rule(`set-${index}-rule-${item}`)))
    await Promise.all(sets.map((set) => replace(set)))
    expect(sets.map((set) => names(set).toSorted())).toContainEqual(names(await view()))
  })

  test('have the tag of the answer that an older client reads', async () => {
    const vpc = await newVpc()
    const old = { 'api-version': '2026021301.0.0' }
    const { headers } = await vpc.send('GET', old)
    const etag = headers.get('etag')!
    expect((await vpc.send('PUT', { ...old, 'if-match': etag }, { rules: [] })).status).toBe(200)
    expect((await vpc.send('PUT', { ...old, 'if-match': etag }, { rules: [] })).status).toBe(412)
  })
})

describe('clients of older versions', () => {
  test('cannot see ICMPv6 rules, and get an error', async () => {
    const { replace, send } = await newVpc()
    await replace([rule('ping6', { filters: { protocols: [{ type: 'icmp6', value: null }] } })])
    const answer = await send('GET', { 'api-version': '2026021301.0.0' })
    expect(answer).toMatchObject({
      status: 406,
      body: { message: 'firewall protocol icmp6 not supported for client version' },
    })
    expect((await send('GET', { 'api-version': '2026032400.0.0' })).status).toBe(200)
  })

  test('may write protocols as words', async () => {
    const { replace, view } = await newVpc()
    const protocols = ['TCP', 'ICMP'] as unknown as Rule['filters']['protocols']
    await replace([rule('words', { filters: { protocols } })])
    expect((await view())[0]!.filters.protocols).toEqual([
      { type: 'tcp' },
      { type: 'icmp', value: null },
    ])
  })
})

test('the audit log records a replacement with the VPC as its target', async () => {
  const { replace, project } = await newVpc()
  await replace([rule('a')])
  const vpc = await server.admin.call('vpc_view', {
    params: { vpc: 'default' },
    query: { project },
  })
  const { items } = await server.admin.call('audit_entry_list', { query: { target: vpc.id } })
  expect(items).toMatchObject([
    {
      operation_id: 'vpc_firewall_rules_update',
      summary: 'Replace the firewall rules of a VPC',
      target: { kind: 'vpc', id: vpc.id, name: 'default', project_id: vpc.project_id },
    },
  ])
})
