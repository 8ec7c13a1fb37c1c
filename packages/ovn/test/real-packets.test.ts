/** Real packets for questions of reachability: what becomes of them, and what decided by OVN. */
import type { Wire } from '@steading/api'
import { packetProblems } from '@steading/api/rules'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { until } from '../../control-plane/test/support/things.ts'
import { allow, type Guest, instance, startShop } from './support/cloud.ts'
import { ovnMissing, type World } from './support/open-world.ts'
import { INTERNET, OUTSIDE } from './support/probes.ts'

type End = Wire.ReachabilityEnd
const guest = (name: string): End => ({ type: 'instance', instance: name })
const address = (text: string): End => ({ type: 'address', address: text })
const internet: End = { type: 'internet' }
const tcp = (port: number) => ({ protocol: 'tcp', port })
const udp = (port: number) => ({ protocol: 'udp', port })
const icmp = { protocol: 'icmp' }
const v6 = { ip_version: 'v6' }

/** The parts of an answer that are not told twice. */
const brief = ({ arrived, answer, verdict, difference }: Wire.SentPacket) => ({
  fate: arrived ? answer : 'lost on the way',
  by: verdict && `${verdict.allowed ? 'allowed' : 'denied'}: ${verdict.reason}`,
  difference,
})
const agreed = (fate: string | null, by: string) => ({ fate, by, difference: null })

const denied = agreed(
  'lost on the way',
  'denied: No rule allows it, and inbound traffic is denied by default.',
)
const byRule = (fate: string, rule: string) =>
  agreed(fate, `allowed: The inbound rule ${rule} allows it.`)
const out = (fate: string | null) =>
  agreed(fate, 'allowed: No rule denies it, and outbound traffic is allowed by default.')

const rule = (name: string, target: string, filters: object, more: object = {}) => ({
  ...allow(name, target, undefined, '1'),
  filters,
  ...more,
})
const some = (type: 'tcp' | 'udp', port: string) => ({ protocols: [{ type }], ports: [port] })

/** A shop with rules, whose guests are end points. */
async function openShop() {
  const { world, server, shop } = await startShop()
  await world.place(OUTSIDE)
  await shop.addGuest('web', {
    externalIps: [{ type: 'ephemeral' }],
    versions: 'default_dual_stack',
  })
  const db = await shop.addGuest('db', { versions: 'default_dual_stack' })
  await shop.addGuest('third')
  const pings = [
    { type: 'icmp', value: null },
    { type: 'icmp6', value: null },
  ]
  const outward = { direction: 'outbound', action: 'deny' }
  await shop.writeRules(
    { ...allow('database', 'db', instance('web'), '5432-5440') },
    rule('ping', 'db', { protocols: pings }),
    rule('names', 'db', some('udp', '8080-8090')),
    rule('site', 'web', some('tcp', '80')),
    rule('no-telnet', 'web', some('tcp', '23'), outward),
  )
  await server.settled('shop')
  const ask = (from: End, to: End, traffic: object) =>
    server.call<Wire.SentPacket>('POST', '/x/v1/reachability/packets?project=shop', {
      from,
      to,
      ...traffic,
    })
  const send = async (from: End, to: End, traffic: object) => brief(await ask(from, to, traffic))
  return { world, server, shop, db, ask, send }
}

/** The device of a guest at the host. */
async function deviceOf(world: World, { address: own }: Guest): Promise<string> {
  const list = ['--bare', '--columns=name,addresses', 'list', 'Logical_Switch_Port']
  const lines = (await world.run('ovn-nbctl', ...list)).split('\n')
  const name = lines[lines.findIndex((line) => line.split(' ').includes(own)) - 1]!
  const find = ['ovs-vsctl', '--bare', '--columns=name', 'find', 'Interface']
  return (await world.run(...find, `external_ids:iface-id="${name}"`)).trim()
}

/** Denies everything by rows that are not ours. */
async function addDenial(world: World): Promise<void> {
  const names = await world.run('ovn-nbctl', '--bare', '--columns=name', 'list', 'Logical_Switch')
  const denial = ['to-lport', '32000', 'tcp', 'drop']
  for (const name of names.split('\n').filter((line) => line.startsWith('subnet-'))) {
    await world.run('ovn-nbctl', '--wait=hv', 'acl-add', name, ...denial)
  }
}

describe.skipIf(ovnMissing() !== undefined)('with OVN, a real packet', () => {
  test('arrives, or is stopped by the rule that OVN names, or is not sent', async () => {
    const { world, server, shop, ask, send } = await openShop()
    const first = await ask(guest('web'), guest('db'), tcp(5432))
    expect(brief(first)).toEqual(byRule('answered', 'database'))
    expect(first).toMatchObject({
      model: { reachable: true },
      outcome: 'It arrived at instance db, and the answer came back.',
      verdict: { by: 'rule', direction: 'inbound', vpc: { name: 'default' } },
    })
    expect(await send(guest('third'), guest('db'), tcp(5432))).toEqual(denied)
    expect(await send(guest('web'), guest('db'), tcp(23))).toEqual(
      agreed('lost on the way', 'denied: The outbound rule no-telnet denies it.'),
    )
    expect(await send(guest('web'), guest('db'), { ...icmp, ...v6 })).toEqual(
      byRule('answered', 'ping'),
    )
    expect(await send(guest('web'), address(INTERNET[0]), tcp(80))).toEqual(out('answered'))
    expect(await send(internet, guest('web'), tcp(80))).toEqual(byRule('answered', 'site'))

    // By way of the host to another VPC.
    const other = await server.project('other')
    await other.addGuest('far', { externalIps: [{ type: 'ephemeral' }] })
    await other.writeRules(rule('site', 'far', some('tcp', '80')))
    await server.settled('other')
    const far = address(await other.externalIpOf('far'))
    expect(await send(guest('web'), far, tcp(80))).toEqual(byRule('answered', 'site'))
    expect(await send(guest('web'), far, tcp(22))).toEqual(denied)

    // Somebody changes the network behind our back.
    await addDenial(world)
    expect(await send(guest('web'), guest('db'), tcp(5432))).toEqual({
      fate: 'lost on the way',
      by: 'denied: A rule that somebody else has added to the network denies it.',
      difference:
        'The packet did not arrive, although rules and routes let it through. In the network, this decided: A rule that somebody else has added to the network denies it.',
    })
    const { items } = await server.call<{ items: Wire.Action[] }>(
      'GET',
      '/x/v1/actions?project=shop',
    )
    expect(items.map(({ sentence }) => sentence)).toContain(
      'sent a real packet to test instance web',
    )

    // Why none is sent.
    await shop.addGuest('away', { isPlaced: false })
    await expect(ask(guest('away'), guest('db'), tcp(5432))).rejects.toThrow(
      packetProblems.notAttached('away', 'net0'),
    )
    await server.call('POST', '/v1/instances/third/stop?project=shop')
    await until(
      () => server.call<Wire.Instance>('GET', '/v1/instances/third?project=shop'),
      ({ run_state }) => expect(run_state).toBe('stopped'),
    )
    await expect(ask(guest('web'), guest('third'), tcp(22))).rejects.toThrow(
      'Instance third is stopped.',
    )
    const pid = await world.run('cat', join(dirname(world.northbound), 'ovn-northd.pid'))
    await world.run('kill', '-STOP', pid.trim())
    await shop.writeRules()
    await expect(ask(guest('web'), guest('db'), tcp(22))).rejects.toThrow(
      packetProblems.behind('default'),
    )
  })

  test('tells each protocol, version, route and end of an instance @long', async () => {
    const { world, server, shop, db, ask, send } = await openShop()
    expect(await send(guest('web'), guest('db'), { ...tcp(5432), ...v6 })).toEqual(
      byRule('answered', 'database'),
    )
    expect(await send(guest('web'), guest('db'), tcp(5433))).toEqual(byRule('refused', 'database'))
    expect(await send(guest('web'), guest('db'), icmp)).toEqual(byRule('answered', 'ping'))
    for (const version of [{}, v6]) {
      expect(await send(guest('web'), guest('db'), { ...udp(8080), ...version })).toEqual(
        byRule('answered', 'names'),
      )
      expect(await send(guest('web'), guest('db'), { ...udp(8081), ...version })).toEqual(
        byRule('refused', 'names'),
      )
    }
    expect(await send(internet, guest('web'), tcp(22))).toEqual(denied)
    // By the router and back, in one subnet.
    const own = address(await shop.externalIpOf('web'))
    expect(await send(guest('third'), own, tcp(80))).toEqual(byRule('answered', 'site'))
    // By an address that instances share.
    expect(await send(guest('third'), address(INTERNET[0]), udp(8080))).toEqual(out('answered'))
    // Nobody outside gets this one.
    expect(await ask(guest('web'), internet, icmp)).toMatchObject({
      arrived: true,
      answer: null,
      difference: null,
    })
    expect(await send(guest('web'), address('172.30.0.77'), tcp(22))).toEqual(
      agreed('lost on the way', 'denied: Nothing in the network has the address 172.30.0.77.'),
    )

    const at = 'project=shop&vpc=default'
    await server.call('POST', `/v1/vpc-routers?${at}`, { name: 'holes', description: '' })
    await server.call('POST', `/v1/vpc-router-routes?${at}&router=holes`, {
      name: 'hole',
      description: '',
      destination: { type: 'ip_net', value: '8.8.0.0/16' },
      target: { type: 'drop' },
    })
    await server.call('PUT', `/v1/vpc-subnets/default?${at}`, { custom_router: 'holes' })
    await server.settled('shop')
    expect(await ask(guest('web'), address('8.8.4.4'), udp(53))).toMatchObject({
      arrived: false,
      verdict: { by: 'route', reason: 'Route hole drops it.', router: { name: 'holes' } },
      difference: null,
    })

    // A guest that does not answer.
    const device = await deviceOf(world, db)
    await world.run(
      'nft',
      `add table netdev deaf
       add chain netdev deaf in { type filter hook egress device "${device}" priority 1; }
       add rule netdev deaf in tcp dport 5432 drop`,
    )
    expect(await send(guest('web'), guest('db'), tcp(5432))).toEqual(byRule('silent', 'database'))
    expect(await world.run('nft', 'list', 'tables', 'netdev')).toBe('table netdev deaf\n')
  })
})
