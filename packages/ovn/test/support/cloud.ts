/** A control plane whose machines are end points of a world. */
import type { Wire } from '@steading/api'
import { composeEngine } from '@steading/control-plane/engine'
import { simulatedEngine } from '@steading/simulator'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { memoryBlockStore } from '../../../control-plane/src/engines/volumes/memory.ts'
import { startSmallServer } from '../../../control-plane/test/support/small-server.ts'
import {
  firewallRule,
  smallInstance,
  tcpTo,
  until,
} from '../../../control-plane/test/support/things.ts'
import { ovnNetworks, systemHost } from '../../src/index.ts'
import { openWorld, type World } from './open-world.ts'

export interface Guest {
  name: string
  address: string
  /** Of a guest with both versions. */
  address6?: string
}

interface GuestOptions {
  externalIps?: object[]
  versions?: 'default_ipv4' | 'default_dual_stack'
  /** Whether there is an end point at its interface. */
  isPlaced?: boolean
}

/** A control plane over a database file. */
export async function start(world: World, path: string) {
  const rack = simulatedEngine(memoryBlockStore(), { bootMs: 0, stopMs: 0, rebootMs: 0 })
  const networks = ovnNetworks({
    northbound: world.northbound,
    southbound: world.southbound,
    guests: { mtu: 1500, nameServers: { v4: [], v6: [] } },
    host: systemHost(world.run, world.southbound, { controllerLog: world.controllerLog }),
    patience: { lookMs: 50, askMs: 200, silentMs: 1000 },
  })
  /** What the log says. */
  const problems: string[] = []
  const { controlPlane, call, stop } = await startSmallServer(
    path,
    composeEngine(...rack.parts, networks),
    (problem, detail) => problems.push(`${problem}: ${String(detail)}`),
  )
  onTestFinished(stop)
  const statusOf = (project: string) =>
    call<Wire.VpcNetworkStatus>('GET', `/x/v1/vpcs/default/network-status?project=${project}`)
  const settled = (project: string) =>
    until(
      () => statusOf(project),
      ({ behind }) => expect(behind).toBe(false),
    )
  /** The networks that there are, as the control plane compares them each minute. */
  const list = () => controlPlane.engines.vpcNetworks!.list()
  /** Waits until this server has applied the default VPC itself. */
  const level = async (project: string) => {
    await until(list, (vpcs) =>
      expect(vpcs.map(({ version }) => typeof version)).toEqual(['number']),
    )
    await settled(project)
  }
  return { call, stop, statusOf, settled, list, level, problems, project: addProject }

  async function addProject(name: string) {
    await call('POST', '/v1/projects', { name, description: '' })
    const at = `project=${name}`
    /** A guest as it is now, when its network is in effect. */
    async function guestOf(guest: string, isPlaced = true): Promise<Guest> {
      const { items } = await call<{ items: Wire.InstanceNetworkInterface[] }>(
        'GET',
        `/v1/network-interfaces?${at}&instance=${guest}`,
      )
      const [nic] = items
      const { subnet_id, id, mac, ip_stack } = nic!
      const subnet = await call<Wire.VpcSubnet>('GET', `/v1/vpc-subnets/${subnet_id}`)
      const { v4, v6 } = addressesOf(ip_stack)
      const [address, address6] = [v4!.ip, v6?.ip]
      await settled(name)
      const ofGuest = `${name} ${guest} ${subnet.name}`
      const own = {
        port: id,
        mac,
        addresses: [`${address}/32`, ...(address6 ? [`${address6}/128`] : [])],
        networks: [subnet.ipv4_block, ...(address6 ? [subnet.ipv6_block] : [])],
        gateways: [
          subnet.ipv4_block.replace(/\.0\/\d+$/, '.1'),
          ...(address6 ? [subnet.ipv6_block.replace(/::\/\d+$/, '::1')] : []),
        ],
      }
      if (isPlaced) await world.place({ name: ofGuest, interfaces: [own] })
      return { name: ofGuest, address, ...(address6 && { address6 }) }
    }
    return {
      async addGuest(
        guest: string,
        { externalIps = [], versions = 'default_ipv4', isPlaced }: GuestOptions = {},
      ): Promise<Guest> {
        await call('POST', `/v1/instances?${at}`, {
          ...smallInstance(guest),
          network_interfaces: { type: versions },
          external_ips: externalIps,
          start: true,
        })
        return guestOf(guest, isPlaced)
      },
      /** Gives a guest an interface in another subnet in place of its own. */
      async moveGuest(guest: string, subnet: string): Promise<Guest> {
        const ofGuest = `${at}&instance=${guest}`
        await call('POST', `/v1/instances/${guest}/stop?${at}`)
        await until(
          () => call<Wire.Instance>('GET', `/v1/instances/${guest}?${at}`),
          ({ run_state }) => expect(run_state).toBe('stopped'),
        )
        await call('DELETE', `/v1/network-interfaces/net0?${ofGuest}`)
        await call('POST', `/v1/network-interfaces?${ofGuest}`, {
          name: 'net0',
          description: '',
          vpc_name: 'default',
          subnet_name: subnet,
          ip_config: { type: 'v4', value: { ip: { type: 'auto' } } },
        })
        await call('POST', `/v1/instances/${guest}/start?${at}`)
        return guestOf(guest)
      },
      use: () => call<Wire.VpcFirewallUse>('GET', `/x/v1/vpcs/default/firewall-use?${at}`),
      denied: async (guest: string) => {
        const path = `/x/v1/instances/${guest}/denied-packets?${at}`
        return (await call<Wire.DeniedPackets>('GET', path)).packets
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

/** A world, a control plane, and its project `shop`. */
export async function startShop(options?: Parameters<typeof openWorld>[0]) {
  const world = await openWorld(options)
  onTestFinished(world.end)
  const path = newPath()
  const server = await start(world, path)
  return { world, path, server, shop: await server.project('shop') }
}

type Stack = Wire.InstanceNetworkInterface['ip_stack']

const addressesOf = (stack: Stack): { v4?: { ip: string }; v6?: { ip: string } } =>
  stack.type === 'dual_stack' ? stack.value : { [stack.type]: stack.value }

export const allow = (
  name: string,
  target: string,
  from: Wire.VpcFirewallRuleHostFilter | undefined,
  port: string,
) =>
  firewallRule(name, {
    targets: [{ type: 'instance', value: target }],
    filters: tcpTo(port, from),
  })
export const instance = (value: string) => ({ type: 'instance' as const, value })

export function newPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'steading-ovn-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return join(directory, 'steading.db')
}
