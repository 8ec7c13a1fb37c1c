/** The callers and things of the tests that go through all operations. */
import type { FleetRole, SiloRole } from '@steading/api/rules'
import type { Caller } from '../caller.ts'
import type { TestServer } from '../harness.ts'
import { addPool, addSubnetPool } from '../networks.ts'
import { createProvider, type Provider } from '../scim.ts'
import { affinityBody, detachedDisk, sshKeyBody, stoppedInstance } from '../things.ts'

/** Callers, each with exactly one role at most. */
export const roles = [
  'nobody',
  'fleet.admin',
  'fleet.collaborator',
  'fleet.viewer',
  'silo.admin',
  'silo.collaborator',
  'silo.limited_collaborator',
  'silo.viewer',
  'project.admin',
  'project.collaborator',
  'project.limited_collaborator',
  'project.viewer',
  'none',
  'other silo',
  // Not a user: the identity provider of another silo.
  'SCIM token',
] as const
export type Role = (typeof roles)[number]

export const PROJECT = 'web'
export const parents = { project: PROJECT }
let unique = 0
/** A new name. */
export const fresh = (): string => `fresh-${unique++}`

/** The server of the present world: files share this module, and each has its own server. */
export let server: TestServer

/** Creates something once for each server: test files share this module, but not their servers. */
export function onceForEachServer<T>(make: () => T): () => T {
  const made = new WeakMap<TestServer, { one: T }>()
  return () => {
    const kept = made.get(server) ?? { one: make() }
    made.set(server, kept)
    return kept.one
  }
}
/** The identity provider of a new silo. */
export let provider: Provider
const callers = new Map<Role, Caller>()
export const ids = {
  project: '',
  box: '',
  data: '',
  snapshot: '',
  subnet: '',
  vpc: '',
  nic: '',
  user: '',
  bystander: '',
  group: '',
  floatingIp: '',
  externalSubnet: '',
}

/** Creates the callers, and the things on which the operations are called. */
export async function createWorld(on: TestServer): Promise<void> {
  server = on
  const { admin, db } = server
  ids.project = (
    await admin.call('project_create', { body: { name: PROJECT, description: '' } })
  ).id
  const elsewhere = await server.createSilo('elsewhere')
  for (const role of roles) {
    if (role === 'nobody') callers.set(role, server.anonymous)
    else if (role === 'SCIM token') {
      provider = await createProvider(server)
      callers.set(role, provider.caller)
    } else {
      const [level, name] = role.split('.') as [string, SiloRole & FleetRole]
      const { caller } = await server.createUser(
        role.replace(/[. _]/g, '-'),
        level === 'project' ? { projects: { [ids.project]: name } } : { [level]: name },
        role === 'other silo' ? elsewhere : undefined,
      )
      callers.set(role, caller)
      await caller.call('current_user_ssh_key_create', { body: sshKeyBody('mine') })
    }
  }
  ids.user = (await callers.get('none')!.call('current_user_view')).id
  ids.bystander = (await server.createUser('bystander')).id
  ids.group = await server.createGroup('group', [])
  ids.data = (await detachedDisk(admin, parents, 'data')).id
  const disks = [{ type: 'attach', name: 'data' }]
  ids.box = (await stoppedInstance(admin, parents, 'box', { disks })).id
  const query = parents
  const nics = await admin.call('instance_network_interface_list', {
    query: { ...query, instance: 'box' },
  })
  ids.nic = nics.items[0]!.id
  const subnets = await admin.call('vpc_subnet_list', { query: { ...query, vpc: 'default' } })
  ids.subnet = subnets.items[0]!.id
  ids.vpc = subnets.items[0]!.vpc_id
  ids.floatingIp = (
    await admin.call('floating_ip_create', { query, body: { name: 'front', description: '' } })
  ).id
  await admin.call('floating_ip_create', { query, body: { name: 'loose', description: '' } })
  await admin.call('floating_ip_attach', {
    params: { floating_ip: 'front' },
    query,
    body: { kind: 'instance', parent: 'box' },
  })
  await addSubnetPool(db, 'networks', ['2001:db8::/32'], { siloId: server.siloId })
  for (const name of ['net', 'loose']) {
    const pool_selector = { type: 'explicit' as const, pool: 'networks' }
    const allocator = { type: 'auto' as const, prefix_length: 64, pool_selector }
    const body = { name, description: '', allocator }
    const { id } = await admin.call('external_subnet_create', { query, body })
    if (name === 'net') ids.externalSubnet = id
  }
  await admin.call('external_subnet_attach', {
    params: { external_subnet: 'net' },
    query,
    body: { instance: 'box' },
  })
  await addPool(db, 'casts', {
    pool_type: 'multicast',
    first: '239.1.0.0',
    last: '239.1.255.255',
    siloId: server.siloId,
  })
  await admin.call('instance_multicast_group_join', {
    params: { instance: 'box', multicast_group: 'news' },
    query,
    body: {},
  })
  for (const kind of ['affinity_group', 'anti_affinity_group'] as const) {
    await admin.call(`${kind}_create`, { query, body: affinityBody('cluster') })
    const params = { affinity_group: 'cluster', anti_affinity_group: 'cluster', instance: 'box' }
    await admin.call(`${kind}_member_instance_add`, { params, query })
  }
  ids.snapshot = (await server.createSnapshot('snap', ids.project)).id
  await server.createImage('img', ids.project)
  // In a state without a start, so that the call changes nothing.
  await stoppedInstance(admin, parents, 'broken', { network_interfaces: { type: 'none' } })
  await db
    .updateTable('instance')
    .set({ run_state: 'repairing', reconcile_at: null })
    .where('name', '=', 'broken')
    .execute()
}

export const callerOf = (role: Role): Caller => callers.get(role)!

export const box = { params: { instance: 'box' }, query: parents }
export const attachedDisk = { params: { disk: 'data' }, query: parents }

/** A stopped instance without any parts, for one call. */
export async function freshInstance(values: object = { network_interfaces: { type: 'none' } }) {
  const { name } = await stoppedInstance(server.admin, parents, fresh(), values)
  return name
}
