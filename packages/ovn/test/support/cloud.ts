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
import { smallInstance, until } from '../../../control-plane/test/support/things.ts'
import { ovnNetworks, systemHost } from '../../src/index.ts'
import type { World } from './open-world.ts'
import type { Place } from './world.ts'

export interface Guest {
  name: string
  address: string
  /** Of a guest with both versions. */
  address6?: string
}

/** A control plane over a database file. */
export async function start(world: World, path: string) {
  const rack = simulatedEngine(memoryBlockStore(), { bootMs: 0, stopMs: 0, rebootMs: 0 })
  const networks = ovnNetworks({
    northbound: world.northbound,
    guests: { mtu: 1500, nameServers: { v4: [], v6: [] } },
    host: systemHost(world.run, world.southbound),
  })
  const { controlPlane, call, stop } = await startSmallServer(
    path,
    composeEngine(...rack.parts, networks),
    (...a) => console.log('LOG', ...a),
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
      async addGuest(
        guest: string,
        externalIps: object[] = [],
        versions: 'default_ipv4' | 'default_dual_stack' = 'default_ipv4',
        isPlaced = true,
      ): Promise<Guest> {
        await call('POST', `/v1/instances?${at}`, {
          ...smallInstance(guest),
          network_interfaces: { type: versions },
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
        const { v4, v6 } = addressesOf(ip_stack)
        const [address, address6] = [v4!.ip, v6?.ip]
        await settled(name)
        const place = `${name} ${guest}`
        const lengthOf = (block: string) => block.split('/')[1]
        const end: Place = {
          name: place,
          port: id,
          mac,
          addresses: [
            `${address}/${lengthOf(subnet.ipv4_block)}`,
            ...(address6 ? [`${address6}/${lengthOf(subnet.ipv6_block)}`] : []),
          ],
          gateways: [
            subnet.ipv4_block.replace(/\.0\/\d+$/, '.1'),
            ...(address6 ? [subnet.ipv6_block.replace(/::\/\d+$/, '::1')] : []),
          ],
          routes: [],
        }
        if (isPlaced) await world.place(end)
        return { name: place, address, ...(address6 && { address6 }) }
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

type Stack = Wire.InstanceNetworkInterface['ip_stack']

const addressesOf = (stack: Stack): { v4?: { ip: string }; v6?: { ip: string } } =>
  stack.type === 'dual_stack' ? stack.value : { [stack.type]: stack.value }

export const allow = (name: string, target: string, from: object | undefined, port: string) => ({
  name,
  description: '',
  status: 'enabled',
  direction: 'inbound',
  action: 'allow',
  priority: 100,
  targets: [{ type: 'instance', value: target }],
  filters: { protocols: [{ type: 'tcp' }], ports: [port], ...(from && { hosts: [from] }) },
})
export const instance = (value: string) => ({ type: 'instance', value })

export function newPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'steading-ovn-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return join(directory, 'steading.db')
}
