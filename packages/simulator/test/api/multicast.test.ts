/** Simulated guests in the multicast groups of their instances. */
import type { Wire } from '@steading/api'
import { expect, onTestFinished, test } from 'vitest'
import { createNetworks } from '../../../control-plane/src/resources/networking/reachability/networks.ts'
import { startTestServer } from '../../../control-plane/test/support/harness.ts'
import { addPool } from '../../../control-plane/test/support/networks.ts'
import { reaches, smallInstance } from '../../../control-plane/test/support/things.ts'
import { createGuestNetwork } from '../../src/guest-network.ts'
import { createRows } from '../../src/rows.ts'

test('guests reach the members of a group by its address', async () => {
  const { admin, db, siloId, host, close } = await startTestServer({ multicast: true })
  onTestFinished(close)
  const query = { project: 'work' }
  const ip = '239.1.5.5'
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  await addPool(db, 'casts', {
    pool_type: 'multicast',
    siloId,
    first: '239.1.0.0',
    last: '239.1.255.255',
  })
  const running = async (name: string) => {
    const body = smallInstance(name, { start: true })
    const { id } = await admin.call('instance_create', { query, body })
    await reaches(admin, id, 'running')
    return id
  }
  const join = (instance: string, body: Partial<Wire.InstanceMulticastGroupJoin> = {}) =>
    admin.call('instance_multicast_group_join', { params: { instance, multicast_group: ip }, body })
  const guest = async (id: string) => {
    const { vm_id } = await db
      .selectFrom('instance')
      .select('vm_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return createGuestNetwork(vm_id!, createRows(host.controlPlane.database), createNetworks(db))
  }
  const [a, b] = [await running('one'), await running('two')]
  await join(b)
  const ping = { host: ip, version: undefined, protocol: 'icmp' } as const
  const sender = await guest(a)
  const nics = await admin.call('instance_network_interface_list', { query: { instance: b } })
  const stack = nics.items[0]!.ip_stack as Extract<Wire.PrivateIpStack, { type: 'dual_stack' }>
  expect(await sender.reach(ping)).toEqual({
    result: 'open',
    address: ip,
    answeredBy: stack.value.v4.ip,
  })
  expect(await (await guest(b)).groups()).toEqual([ip])
  await join(b, { source_ips: ['192.0.2.1'] })
  expect(await sender.reach(ping)).toEqual({ result: 'lost', address: ip })
})
