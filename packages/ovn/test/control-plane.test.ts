/** What callers of the API change about networks is what packets do: a control plane with an OVN. */
import type { Wire } from '@steading/api'
import { FIREWALL_RULES_MAX, networkFaults } from '@steading/api/rules'
import type { VpcNetworkStatus } from '@steading/control-plane/ports'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { long } from '../../control-plane/test/support/long.ts'
import { until } from '../../control-plane/test/support/things.ts'
import { silentParts } from '../src/index.ts'
import { allow, type Guest, instance, start, startShop } from './support/cloud.ts'
import type { Probe } from './support/endpoint.ts'
import { ovnMissing, type World } from './support/open-world.ts'
import { INTERNET, OUTSIDE } from './support/probes.ts'

/** Kills a daemon of OVN; the answer starts it again. */
async function killDaemon(world: World, name: string): Promise<() => Promise<string>> {
  const pidFile = join(dirname(world.northbound), `${name}.pid`)
  const pid = (await world.run('cat', pidFile)).trim()
  const text = await world.run('cat', `/proc/${pid}/cmdline`)
  const command = text.split('\0').filter(Boolean) as [string, ...string[]]
  await world.run('kill', '-9', pid)
  return () => world.run(...command)
}

const aPortGroup = async (world: World): Promise<string> => {
  const names = await world.run('ovn-nbctl', '--bare', '--columns=name', 'list', 'Port_Group')
  return names.trim().split('\n')[0]!
}

let probes = 0

const connection = (from: Guest, to: Guest, answered: boolean, port = 5432): Trial => ({
  from: from.name,
  source: from.address,
  to: to.address,
  port,
  answered,
})

/** Connections of two guests to each other, of which one is permitted. */
const eitherWay = (one: Guest, two: Guest, to: 'one' | 'two'): Trial[] => [
  connection(one, two, to === 'two'),
  connection(two, one, to === 'one'),
]

interface Trial {
  from: string
  source: string
  to: string
  /** TCP by default. */
  protocol?: 'tcp' | 'icmp'
  port?: number
  answered: boolean
}

/**
 * Tries connections until those are answered that should be.
 * @returns the trials as they went
 */
async function tried(world: World, trials: readonly Trial[]): Promise<Trial[]> {
  const sent = trials.map((trial) => ({ ...trial, id: `trial ${++probes}` }))
  for (const { id, from, source, to, protocol = 'tcp', port } of sent) {
    world.send(from, [{ id, protocol, source, destination: to, port: port ?? 0 }])
  }
  const expected = sent.filter(({ answered }) => answered)
  await world.until(() => expected.every(({ id }) => world.answered.has(id)))
  for (const { from, id } of sent) world.forget(from, [id])
  return sent.map(({ id, ...trial }) => ({ ...trial, answered: world.answered.has(id) }))
}

describe.skipIf(ovnMissing() !== undefined)('with OVN', () => {
  test('rules of the API decide about packets between instances and from outside', async () => {
    const { world, path, server: first, shop } = await startShop()
    await world.place(OUTSIDE)
    const web = await shop.addGuest('web', { externalIps: [{ type: 'ephemeral' }] })
    const db = await shop.addGuest('db')
    const third = await shop.addGuest('third')
    const external = await shop.externalIpOf('web')
    const fromOutside = (port: number, answered: boolean): Trial => ({
      from: OUTSIDE.name,
      source: INTERNET[0],
      to: external,
      port,
      answered,
    })

    const goes = async (...trials: Trial[]) => expect(await tried(world, trials)).toEqual(trials)

    await shop.writeRules(
      allow('database', 'db', instance('web'), '5432'),
      allow('site', 'web', undefined, '80'),
    )
    await first.settled('shop')
    await goes(
      connection(web, db, true),
      connection(third, db, false),
      connection(web, db, false, 22),
      fromOutside(80, true),
      fromOutside(22, false),
    )

    // Without a server, the rules stay as they are.
    await first.stop()
    await goes(connection(web, db, true), connection(third, db, false))
    const second = await start(world, path)
    await second.call('PUT', '/v1/vpc-firewall-rules?project=shop&vpc=default', {
      rules: [allow('database', 'db', instance('third'), '5432')],
    })
    await second.settled('shop')
    await goes(connection(third, db, true), connection(web, db, false), fromOutside(80, false))
  })

  test('a probe answers pings inside and from outside, as the rules permit, until it is deleted', async () => {
    const { world, path, server: first, shop } = await startShop()
    await world.place(OUTSIDE)
    const web = await shop.addGuest('web')
    const [sled] = (
      await first.call<{ items: { id: string }[] }>('GET', '/v1/system/hardware/sleds')
    ).items
    const at = 'project=shop'
    await first.call('POST', `/experimental/v1/probes?${at}`, {
      name: 'eye',
      description: '',
      sled: sled!.id,
    })
    const probe = await first.call<Wire.ProbeInfo>('GET', `/experimental/v1/probes/eye?${at}`)
    const { v4 } = (probe.interface.ip_config as { value: { v4: { ip: string } } }).value
    const pings = [
      { from: web.name, source: web.address, to: v4.ip },
      { from: OUTSIDE.name, source: INTERNET[0], to: probe.external_ips[0]!.ip },
    ].map((ping) => ({ ...ping, protocol: 'icmp' as const, answered: true }))
    await first.settled('shop')
    expect(await tried(world, pings)).toEqual(pings)
    const inside = pings.map((ping, index) => ({ ...ping, answered: index === 0 }))
    await shop.writeRules({
      ...allow('pings', 'web', undefined, '1'),
      targets: [{ type: 'vpc', value: 'default' }],
      filters: { protocols: [{ type: 'icmp', value: null }], hosts: [instance('web')] },
    })
    await first.settled('shop')
    expect(await tried(world, inside)).toEqual(inside)

    // Real packets as well, in both directions.
    const packet = (from: string, to: string) =>
      first.call<Wire.SentPacket>('POST', `/x/v1/reachability/packets?${at}&vpc=default`, {
        from: { type: 'address', address: from },
        to: { type: 'address', address: to },
        protocol: 'icmp',
      })
    const answered = { arrived: true, answer: 'answered', difference: null }
    expect(await packet(v4.ip, INTERNET[0])).toMatchObject(answered)
    expect(await packet(web.address, v4.ip)).toMatchObject({
      ...answered,
      verdict: { by: 'rule', rule: { name: 'pings' } },
    })

    // A comparison finds that it was lost, and another server makes it again.
    const [{ vpcId, version }] = (await first.list()) as [VpcNetworkStatus]
    expect(version).toEqual(expect.any(Number))
    await world.run('sh', '-c', 'ip netns delete $(ip netns list | cut -d" " -f1)')
    expect(await first.list()).toEqual([{ vpcId, version: undefined }])
    await first.stop()
    const second = await start(world, path)
    await second.level('shop')
    expect(await tried(world, inside)).toEqual(inside)
    await second.call('DELETE', `/experimental/v1/probes/eye?${at}`)
    await second.settled('shop')
    expect(await world.run('ip', 'netns', 'list')).toBe('')
    expect(await world.run('sh', '-c', 'ovs-vsctl list-ports br-int | grep ^probe || true')).toBe(
      '',
    )
  })

  test('packets are counted, denied ones are told, and so are hosts that do not answer', async () => {
    const { world, server, shop } = await startShop()
    const [web, db] = [await shop.addGuest('web'), await shop.addGuest('db')]
    const open = allow('database', 'db', undefined, '5432')
    const shut = { ...allow('no-mail', 'db', undefined, '22'), action: 'deny' }
    await shop.writeRules(open, shut, allow('unused', 'db', undefined, '8080'))
    await server.settled('shop')
    const to = (port: number, answered = false): Trial => ({
      from: web.name,
      source: web.address,
      to: db.address,
      port,
      answered,
    })
    await tried(world, [to(22), to(443), to(5432, true)])

    const alike = { direction: 'inbound', protocol: 'tcp', source: web.address }
    await until(
      () => shop.denied('db'),
      (packets) => {
        expect(packets).toContainEqual(
          expect.objectContaining({ ...alike, port: 22, rule: 'no-mail', by_default: false }),
        )
        expect(packets).toContainEqual(
          expect.objectContaining({ ...alike, port: 443, rule: null, by_default: true }),
        )
        expect(packets.map(({ port }) => port)).not.toContain(5432)
      },
    )
    expect(await shop.denied('web')).toEqual([])

    // Whoever sends without end fills neither the log nor the answers.
    const ports = Array.from({ length: 300 }, (_, index) => 10_000 + index)
    const flood = ports.map((port): Probe => ({
      id: `flood ${port}`,
      protocol: 'udp',
      source: web.address,
      destination: db.address,
      port,
    }))
    world.send(web.name, flood)
    const counted = await until(shop.use, ({ rules, denied_by_default }) => {
      const packets = Object.fromEntries(rules.map(({ name, packets: own }) => [name, own]))
      expect(packets).toMatchObject({ unused: 0, 'no-mail': expect.any(Number) })
      expect(packets['database']).toBeGreaterThan(1)
      expect(packets['no-mail']).toBeGreaterThan(0)
      expect(denied_by_default!.packets).toBeGreaterThan(ports.length)
    })
    const lasts = Object.fromEntries(counted.rules.map(({ name, time_last }) => [name, time_last]))
    expect(lasts).toEqual({
      unused: null,
      database: expect.any(String),
      'no-mail': expect.any(String),
    })
    const logged = await world.run('grep', '-c', 'acl_log', world.controllerLog)
    expect(Number(logged)).toBeLessThan(counted.denied_by_default!.packets / 2)
    expect((await shop.denied('db')).length).toBeLessThanOrEqual(50)
    world.forget(
      web.name,
      flood.map(({ id }) => id),
    )

    const faults = async () => {
      const { items } = await server.call<Wire.Issues>('GET', '/x/v1/issues')
      return items.filter(({ kind }) => kind.startsWith('network_')).map(({ sentence }) => sentence)
    }
    const known = (...sentences: string[]) =>
      until(faults, (found) => expect(found).toEqual(sentences))
    const networks = () => server.call<Wire.SystemNetworks>('GET', '/x/v1/system/networks')
    const running = (await networks()).host_state!
    expect(running.daemons.map(({ state }) => state)).toEqual(Array(6).fill('running'))
    expect(running.flows).toBeGreaterThan(100)
    const revive = await killDaemon(world, 'ovn-controller')
    await known(networkFaults.host('one'))
    // Nobody is waited for who is known not to answer, and what is written is in effect afterwards.
    await shop.writeRules(allow('database', 'db', undefined, '443'))
    await until(
      async () =>
        await world.run('ovn-nbctl', 'find', 'ACL', 'external_ids:steading-key="rule database"'),
      (text) => expect(text).toContain('tcp.dst == {443}'),
    )
    expect(await silentParts(world.northbound, world.southbound, 500)).toEqual([
      networkFaults.host('one'),
    ])
    expect((await networks()).host_state!.daemons).toContainEqual(
      expect.objectContaining({ name: 'ovn-controller', state: 'ended' }),
    )
    await revive()
    await known()
    await tried(world, [to(443, true)])
    expect(await silentParts(world.northbound, world.southbound)).toEqual([])

    // A host that is known not to answer holds up nobody.
    await world.run('ovn-sbctl', 'chassis-add', 'two', 'geneve', '127.0.0.2')
    await world.run('ovn-sbctl', 'create', 'Chassis_Private', 'name=two')
    await known(networkFaults.host('two'))
    await shop.writeRules(open)
    await server.settled('shop')
    expect(await server.statusOf('shop')).toMatchObject({ hosts: 2, silent_hosts: 1 })
  })

  test('networks lead outside by the hosts of all servers', async () => {
    const { world, shop } = await startShop()
    await world.run('ovn-sbctl', 'chassis-add', 'another', 'geneve', '127.0.0.2')
    const mappings = 'other_config:ovn-bridge-mappings="outside:br-outside"'
    await world.run('ovn-sbctl', 'set', 'Chassis', 'another', mappings)
    await until(
      async () => {
        await shop.writeRules(allow('database', 'db', undefined, '443'))
        return world.run('ovn-nbctl', '--columns=chassis_name,priority', 'list', 'Gateway_Chassis')
      },
      (text) => {
        expect(text).toMatch(/another"?\n.*: 2/)
        expect(text).toMatch(/one"?\n.*: 1/)
      },
    )
  })

  test('packets do what the rows say after each part of OVN was killed @long', async () => {
    const { world, server, shop } = await startShop()
    const [one, two] = [await shop.addGuest('one'), await shop.addGuest('two')]
    // Not Open vSwitch: its end takes the devices of the end points with it.
    for (const [round, part] of [
      'ovn-northd',
      'ovn-controller',
      'ovnnb_db',
      'ovnsb_db',
    ].entries()) {
      const revive = await killDaemon(world, part)
      const to = round % 2 === 0 ? 'two' : 'one'
      await shop.writeRules(allow('database', to, undefined, '5432'))
      expect(await server.statusOf('shop'), part).toMatchObject({ behind: true })
      await revive()
      await server.settled('shop')
      const trials = eitherWay(one, two, to)
      expect(await tried(world, trials), part).toEqual(trials)
    }
  })

  test('a full database holds changes up, and they take effect when there is room @long', async () => {
    const { world, server, shop } = await startShop({ room: '4m' })
    const [one, two] = [await shop.addGuest('one'), await shop.addGuest('two')]
    const trials = (to: 'one' | 'two') => eitherWay(one, two, to)
    await shop.writeRules(allow('database', 'two', undefined, '5432'))
    await server.settled('shop')
    const filler = join(dirname(dirname(world.northbound)), 'db/filler')
    await world.run('sh', '-c', `cat /dev/zero > ${filler} 2> /dev/null || true`)
    // More than fits into the last block of the file.
    const others = Array.from({ length: 100 }, (_, index) =>
      allow(`other-${index}`, 'one', undefined, String(10_000 + index)),
    )
    await shop.writeRules(allow('database', 'one', undefined, '5432'), ...others)
    await until(
      async () => server.problems,
      (texts) => expect(texts.join('\n')).toContain('write failed'),
    )
    expect(await server.statusOf('shop')).toMatchObject({ behind: true })
    expect(await tried(world, trials('two'))).toEqual(trials('two'))
    await world.run('rm', filler)
    await server.settled('shop')
    expect(await tried(world, trials('one'))).toEqual(trials('one'))
  })

  test('rules follow an instance that moves to another subnet @long', async () => {
    const { world, server, shop } = await startShop()
    const db = await shop.addGuest('db')
    const web = await shop.addGuest('web')
    const at = 'project=shop'
    await server.call('POST', `/v1/vpc-subnets?${at}&vpc=default`, {
      name: 'other',
      description: '',
      ipv4_block: '172.30.64.0/22',
    })
    await shop.writeRules(allow('database', 'db', { type: 'subnet', value: 'default' }, '5432'))
    await server.settled('shop')
    expect(await tried(world, [connection(web, db, true)])).toEqual([connection(web, db, true)])
    const moved = await shop.moveGuest('web', 'other')
    const trials = [connection(moved, db, false), connection(db, moved, false, 22)]
    await shop.writeRules(allow('database', 'db', { type: 'subnet', value: 'default' }, '5432'))
    expect(await tried(world, trials)).toEqual(trials)
    await shop.writeRules(
      allow('database', 'db', { type: 'subnet', value: 'other' }, '5432'),
      allow('shell', 'web', { type: 'subnet', value: 'default' }, '22'),
    )
    await server.settled('shop')
    const after = [connection(moved, db, true), connection(db, moved, true, 22)]
    expect(await tried(world, after)).toEqual(after)
  })

  test('as many rules as a VPC may have decide in their order @long', async () => {
    const { world, server, shop } = await startShop()
    const [one, two] = [await shop.addGuest('one'), await shop.addGuest('two')]
    const rules = Array.from({ length: FIREWALL_RULES_MAX - 2 }, (_, index) => ({
      ...allow(`other-${index}`, 'one', undefined, String(10_000 + index)),
      priority: index,
    }))
    const last = { ...allow('last', 'two', undefined, '5432'), priority: 65_534 }
    const against = {
      ...allow('against', 'two', undefined, '22'),
      action: 'deny',
      priority: 65_533,
    }
    await shop.writeRules(...rules, against, last)
    await server.settled('shop')
    const trials = [
      connection(one, two, true),
      connection(one, two, false, 22),
      connection(two, one, false),
    ]
    expect(await tried(world, trials)).toEqual(trials)
    // The rule of the other sort is before it now.
    await shop.writeRules(
      ...rules,
      { ...allow('first', 'two', undefined, '22'), priority: 0 },
      against,
    )
    await server.settled('shop')
    const after = [connection(one, two, true, 22), connection(one, two, false)]
    expect(await tried(world, after)).toEqual(after)
  })

  test('nothing stays of VPCs that are deleted while they are applied @long', async () => {
    const { world, server } = await startShop()
    for (let round = 0; round < 20; round++) {
      const name = `vpc-${round}`
      await server.call('POST', '/v1/vpcs?project=shop', {
        name,
        description: '',
        dns_name: name,
      })
      await server.call('DELETE', `/v1/vpc-subnets/default?project=shop&vpc=${name}`)
      await server.call('DELETE', `/v1/vpcs/${name}?project=shop`)
    }
    const routers = () =>
      world.run('ovn-nbctl', '--bare', '--columns=name', 'list', 'Logical_Router')
    await server.level('shop')
    await until(
      async () => (await routers()).trim().split(/\n+/),
      (names) => expect(names).toHaveLength(1),
    )
  })

  test('a server that stops at any moment leaves networks that the next one finishes', async () => {
    const { world, path, server: first, shop } = await startShop()
    let server = first
    const [one, two] = [await shop.addGuest('one'), await shop.addGuest('two')]
    for (let round = 0; round < (long ? 20 : 3); round++) {
      const to = round % 2 === 0 ? 'two' : 'one'
      await server.call('PUT', '/v1/vpc-firewall-rules?project=shop&vpc=default', {
        rules: [allow('database', to, undefined, '5432')],
      })
      await server.stop()
      // Somebody tidies up what is not theirs.
      if (round === 1) await world.run('ovn-nbctl', 'pg-del', await aPortGroup(world))
      server = await start(world, path)
      await server.level('shop')
      const trials = eitherWay(one, two, to)
      expect(await tried(world, trials)).toEqual(trials)
    }
  })
})
