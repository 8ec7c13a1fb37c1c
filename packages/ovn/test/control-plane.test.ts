/** What callers of the API change about networks is what packets do: a control plane with an OVN. */
import type { Wire } from '@steading/api'
import { composeEngine } from '@steading/control-plane/engine'
import { simulatedEngine } from '@steading/simulator'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memoryBlockStore } from '../../control-plane/src/engines/volumes/memory.ts'
import { long } from '../../control-plane/test/support/long.ts'
import { startSmallServer } from '../../control-plane/test/support/small-server.ts'
import { smallInstance, until } from '../../control-plane/test/support/things.ts'
import { ovnNetworks, systemHost } from '../src/index.ts'
import { openWorld, ovnMissing, type World } from './support/open-world.ts'
import { INTERNET, OUTSIDE } from './support/probes.ts'

interface Guest {
  name: string
  address: string
}

/** A control plane over a database file, whose machines are end points of a world. */
async function start(world: World, path: string) {
  const rack = simulatedEngine(memoryBlockStore(), { bootMs: 0, stopMs: 0, rebootMs: 0 })
  const networks = ovnNetworks({
    northbound: world.northbound,
    guests: { mtu: 1500, nameServers: { v4: [], v6: [] } },
    host: systemHost(world.run, world.southbound),
  })
  const { controlPlane, call, stop } = await startSmallServer(
    path,
    composeEngine(...rack.parts, networks),
  )
  onTestFinished(stop)
  const statusOf = (project: string) =>
    call<Wire.VpcNetworkStatus>('GET', `/x/v1/vpcs/default/network-status?project=${project}`)
  const settled = (project: string) =>
    until(
      () => statusOf(project),
      ({ behind }) => expect(behind).toBe(false),
    )
  /** Waits until this server has applied the default VPC itself. */
  const level = async (project: string) => {
    const { vpcNetworks } = controlPlane.engines
    await until(
      () => vpcNetworks!.list(),
      (vpcs) => expect(vpcs.map(({ version }) => typeof version)).toEqual(['number']),
    )
    await settled(project)
  }
  return { call, stop, statusOf, settled, level, project: (name: string) => addProject(name) }

  async function addProject(name: string) {
    await call('POST', '/v1/projects', { name, description: '' })
    const at = `project=${name}`
    return {
      async addGuest(guest: string, externalIps: object[] = []): Promise<Guest> {
        await call('POST', `/v1/instances?${at}`, {
          ...smallInstance(guest),
          network_interfaces: { type: 'default_ipv4' },
          external_ips: externalIps,
          start: true,
        })
        const { items } = await call<{ items: Wire.InstanceNetworkInterface[] }>(
          'GET',
          `/v1/network-interfaces?${at}&instance=${guest}`,
        )
        const [nic] = items
        const { subnet_id, id, mac, ip_stack } = nic!
        const subnet = await call<Wire.VpcSubnet>('GET', `/v1/vpc-subnets/${subnet_id}`)
        const address = (ip_stack as { value: { ip: string } }).value.ip
        await settled(name)
        const place = `${name} ${guest}`
        await world.place({
          name: place,
          interfaces: [
            {
              port: id,
              mac,
              addresses: [`${address}/32`],
              networks: [subnet.ipv4_block],
              gateways: [subnet.ipv4_block.replace(/\.0\/\d+$/, '.1')],
            },
          ],
        })
        return { name: place, address }
      },
      /** They may not be in effect yet. */
      writeRules: (...rules: object[]) =>
        call('PUT', `/v1/vpc-firewall-rules?${at}&vpc=default`, { rules }),
      externalIpOf: async (guest: string) => {
        const { items } = await call<{ items: Wire.ExternalIp[] }>(
          'GET',
          `/v1/instances/${guest}/external-ips?${at}`,
        )
        return items.find(({ kind }) => kind === 'ephemeral')!.ip
      },
    }
  }
}

const allow = (name: string, target: string, from: object | undefined, port: string) => ({
  name,
  description: '',
  status: 'enabled',
  direction: 'inbound',
  action: 'allow',
  priority: 100,
  targets: [{ type: 'instance', value: target }],
  filters: { protocols: [{ type: 'tcp' }], ports: [port], ...(from && { hosts: [from] }) },
})
const instance = (value: string) => ({ type: 'instance', value })

const pidIn = async (world: World, file: string): Promise<string> =>
  (await world.run('cat', file)).trim()

const aPortGroup = async (world: World): Promise<string> => {
  const names = await world.run('ovn-nbctl', '--bare', '--columns=name', 'list', 'Port_Group')
  return names.trim().split('\n')[0]!
}

let probes = 0

interface Trial {
  from: string
  source: string
  to: string
  port: number
  answered: boolean
}

/**
 * Tries connections until those are answered that should be.
 * @returns the trials as they went
 */
async function tried(world: World, trials: readonly Trial[]): Promise<Trial[]> {
  const sent = trials.map((trial) => ({ ...trial, id: `trial ${++probes}` }))
  for (const { id, from, source, to, port } of sent) {
    world.send(from, [{ id, protocol: 'tcp', source, destination: to, port }])
  }
  const expected = sent.filter(({ answered }) => answered)
  await world.until(() => expected.every(({ id }) => world.answered.has(id)))
  for (const { from, id } of sent) world.forget(from, [id])
  return sent.map(({ id, ...trial }) => ({ ...trial, answered: world.answered.has(id) }))
}

function newPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'steading-ovn-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return join(directory, 'steading.db')
}

describe.skipIf(ovnMissing() !== undefined)('with OVN', () => {
  test('rules of the API decide about packets between instances and from outside', async () => {
    const world = await openWorld()
    onTestFinished(world.end)
    const path = newPath()
    const first = await start(world, path)
    await world.place(OUTSIDE)
    const shop = await first.project('shop')
    const web = await shop.addGuest('web', [{ type: 'ephemeral' }])
    const db = await shop.addGuest('db')
    const third = await shop.addGuest('third')
    const trial = (from: Guest, to: Guest, answered: boolean, port = 5432): Trial => ({
      from: from.name,
      source: from.address,
      to: to.address,
      port,
      answered,
    })
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
      trial(web, db, true),
      trial(third, db, false),
      trial(web, db, false, 22),
      fromOutside(80, true),
      fromOutside(22, false),
    )

    // Without a server, the rules stay as they are.
    await first.stop()
    await goes(trial(web, db, true), trial(third, db, false))
    const second = await start(world, path)
    await second.call('PUT', '/v1/vpc-firewall-rules?project=shop&vpc=default', {
      rules: [allow('database', 'db', instance('third'), '5432')],
    })
    await second.settled('shop')
    await goes(trial(third, db, true), trial(web, db, false), fromOutside(80, false))
  })

  test('packets do what the rows say after each part of OVN was killed @long', async () => {
    const world = await openWorld()
    onTestFinished(world.end)
    const server = await start(world, newPath())
    const shop = await server.project('shop')
    const [one, two] = [await shop.addGuest('one'), await shop.addGuest('two')]
    const trial = (from: Guest, to: Guest, answered: boolean): Trial => ({
      from: from.name,
      source: from.address,
      to: to.address,
      port: 5432,
      answered,
    })
    // Not Open vSwitch: its end takes the devices of the end points with it.
    for (const [round, part] of ['northd', 'controller', 'nb', 'sb'].entries()) {
      const pidFile = join(dirname(world.northbound), `${part}.pid`)
      const command = (await world.run('cat', `/proc/${await pidIn(world, pidFile)}/cmdline`))
        .split('\0')
        .filter(Boolean)
      await world.run('kill', '-9', await pidIn(world, pidFile))
      const to = round % 2 === 0 ? 'two' : 'one'
      await shop.writeRules(allow('database', to, undefined, '5432'))
      expect(await server.statusOf('shop'), part).toMatchObject({ behind: true })
      await world.run(...(command as [string, ...string[]]))
      await server.settled('shop')
      const trials = [trial(one, two, to === 'two'), trial(two, one, to === 'one')]
      expect(await tried(world, trials), part).toEqual(trials)
    }
  })

  test('a server that stops at any moment leaves networks that the next one finishes', async () => {
    const world = await openWorld()
    onTestFinished(world.end)
    const path = newPath()
    let server = await start(world, path)
    const shop = await server.project('shop')
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
      const trials = [
        { from: one, to: two, answered: to === 'two' },
        { from: two, to: one, answered: to === 'one' },
      ].map(({ from, to: target, answered }): Trial => ({
        from: from.name,
        source: from.address,
        to: target.address,
        port: 5432,
        answered,
      }))
      expect(await tried(world, trials)).toEqual(trials)
    }
  })
})
