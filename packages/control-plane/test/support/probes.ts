/** One way or two to call each operation, for a walk over all of them with all kinds of callers. */
import type { OperationId } from '@steading/api'
import type { FleetRole, ResourceKind, SiloRole } from '@steading/api/rules'
import type { CallArgs, Caller } from './caller.ts'
import { ADMIN_PASSWORD, type TestServer } from './harness.ts'
import { blankDisk, detachedDisk, smallInstance, sshKeyBody, stoppedInstance } from './things.ts'

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
] as const
export type Role = (typeof roles)[number]

const PROJECT = 'web'
const parents = { project: PROJECT }
let unique = 0
const fresh = (): string => `fresh-${unique++}`

let server: TestServer
const callers = new Map<Role, Caller>()
const ids = {
  project: '',
  box: '',
  data: '',
  snapshot: '',
  subnet: '',
  vpc: '',
  nic: '',
  user: '',
  group: '',
}

/** Makes everybody who calls, and everything that is called upon. */
export async function createWorld(on: TestServer): Promise<void> {
  server = on
  const { admin, db } = server
  ids.project = (
    await admin.call('project_create', { body: { name: PROJECT, description: '' } })
  ).id
  const elsewhere = await server.createSilo('elsewhere')
  for (const role of roles) {
    if (role === 'nobody') callers.set(role, server.anonymous)
    else {
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
  ids.snapshot = (await server.createSnapshot('snap', ids.project)).id
  await server.createImage('img', ids.project)
  // In a state that cannot be started, so that asking changes nothing.
  await stoppedInstance(admin, parents, 'broken', { network_interfaces: { type: 'none' } })
  await db
    .updateTable('instance')
    .set({ run_state: 'repairing', reconcile_at: null })
    .where('name', '=', 'broken')
    .execute()
}

export const callerOf = (role: Role): Caller => callers.get(role)!

/** One way to call an operation. */
export interface Probe<Op extends OperationId = OperationId> {
  args: () => CallArgs<Op> | Promise<CallArgs<Op>>
  /**
   * What somebody gets who may do it, if that is not success: the state of things forbids it, which
   * is only looked at once permission has been given.
   */
  passes?: number
  /** Kinds of the operation's permission that this call is about, if not all. */
  about?: ResourceKind[]
}
type Probes = { [Op in OperationId]: Probe<Op> | Record<string, Probe<Op>> }

const box = { params: { instance: 'box' }, query: parents }
const plain = { args: () => ({}) }
/** Puts back what is there, so that nobody's role changes. */
const same = <Op extends 'policy_update' | 'system_policy_update' | 'project_policy_update'>(
  view: 'policy_view' | 'system_policy_view' | 'project_policy_view',
  params = {},
): Probe<Op> => ({
  args: async () =>
    ({ params, body: await server.admin.call(view, { params } as never) }) as CallArgs<Op>,
})

export const probes: Probes = {
  ping: plain,
  login_local: {
    args: () => ({
      params: { silo_name: 'main' },
      body: { username: 'admin', password: ADMIN_PASSWORD },
    }),
  },
  logout: plain,
  capabilities_view: plain,
  openapi_view: plain,
  event_stream: plain,
  current_user_view: plain,
  current_user_groups: plain,
  current_user_ssh_key_list: plain,
  current_user_ssh_key_create: { args: () => ({ body: sshKeyBody(fresh()) }) },
  current_user_ssh_key_view: { args: () => ({ params: { ssh_key: 'mine' } }) },
  current_user_ssh_key_delete: { args: () => ({ params: { ssh_key: 'mine' } }) },
  user_list: plain,
  user_view: { args: () => ({ params: { user_id: ids.user } }) },
  group_list: plain,
  group_view: { args: () => ({ params: { group_id: ids.group } }) },
  system_policy_view: plain,
  system_policy_update: same('system_policy_view'),
  policy_view: plain,
  policy_update: same('policy_view'),
  project_policy_view: { args: () => ({ params: parents }) },
  project_policy_update: same('project_policy_view', parents),
  project_list: plain,
  project_create: { args: () => ({ body: { name: fresh(), description: '' } }) },
  project_view: {
    'by name': { args: () => ({ params: parents }) },
    'by id': { args: () => ({ params: { project: ids.project } }) },
  },
  project_update: { args: () => ({ params: parents, body: { description: fresh() } }) },
  project_delete: { args: () => ({ params: parents }), passes: 400 },
  instance_list: { args: () => ({ query: parents }) },
  instance_create: { args: () => ({ query: parents, body: smallInstance(fresh()) }) },
  instance_view: {
    'by name': { args: () => box },
    'by id': { args: () => ({ params: { instance: ids.box } }) },
  },
  instance_update: {
    args: () => ({
      ...box,
      body: {
        ncpus: 2,
        memory: 2 ** 30,
        boot_disk: null,
        auto_restart_policy: null,
        cpu_platform: null,
        enable_jumbo_frames: false,
      },
    }),
  },
  instance_delete: {
    async args() {
      const name = fresh()
      const network_interfaces = { type: 'none' }
      await stoppedInstance(server.admin, parents, name, { network_interfaces })
      return { params: { instance: name }, query: parents }
    },
  },
  instance_start: { args: () => ({ params: { instance: 'broken' }, query: parents }), passes: 409 },
  instance_stop: { args: () => box },
  instance_reboot: { args: () => box, passes: 400 },
  instance_disk_list: { args: () => box },
  instance_disk_attach: { args: () => ({ ...box, body: { disk: 'data' } }) },
  instance_disk_detach: {
    async args() {
      const name = fresh()
      await detachedDisk(server.admin, parents, name)
      return { ...box, body: { disk: name } }
    },
  },
  instance_external_ip_list: { args: () => box },
  instance_ssh_public_key_list: { args: () => box },
  instance_serial_console: {
    args: () => ({ ...box, query: { ...parents, from_start: 0 } }),
    passes: 400,
  },
  instance_serial_console_stream: { args: () => box, passes: 400 },
  disk_list: { args: () => ({ query: parents }) },
  disk_create: { args: () => ({ query: parents, body: blankDisk(fresh()) }) },
  disk_view: {
    'by name': { args: () => ({ params: { disk: 'data' }, query: parents }) },
    'by id': { args: () => ({ params: { disk: ids.data } }) },
  },
  // Attached, and so not to be deleted.
  disk_delete: { args: () => ({ params: { disk: 'data' }, query: parents }), passes: 400 },
  image_list: {
    'of a project': { args: () => ({ query: parents }), about: ['project'] },
    'of the silo': { args: () => ({}), about: ['silo_image'] },
  },
  image_view: {
    'of a project': {
      args: () => ({ params: { image: 'img' }, query: parents }),
      about: ['image'],
    },
    'of the silo': { args: () => ({ params: { image: 'debian-13' } }), about: ['silo_image'] },
  },
  snapshot_list: { args: () => ({ query: parents }) },
  snapshot_view: {
    'by name': { args: () => ({ params: { snapshot: 'snap' }, query: parents }) },
    'by id': { args: () => ({ params: { snapshot: ids.snapshot } }) },
  },
  vpc_list: { args: () => ({ query: parents }) },
  vpc_view: {
    'by name': { args: () => ({ params: { vpc: 'default' }, query: parents }) },
    'by id': { args: () => ({ params: { vpc: ids.vpc } }) },
  },
  vpc_subnet_list: {
    'by name': { args: () => ({ query: { ...parents, vpc: 'default' } }) },
    'by id': { args: () => ({ query: { vpc: ids.vpc } }) },
  },
  vpc_subnet_view: {
    'by name': {
      args: () => ({ params: { subnet: 'default' }, query: { ...parents, vpc: 'default' } }),
    },
    'by id': { args: () => ({ params: { subnet: ids.subnet } }) },
  },
  instance_network_interface_list: {
    'by name': { args: () => ({ query: { ...parents, instance: 'box' } }) },
    'by id': { args: () => ({ query: { instance: ids.box } }) },
  },
  instance_network_interface_view: {
    'by name': {
      args: () => ({ params: { interface: 'net0' }, query: { ...parents, instance: 'box' } }),
    },
    'by id': { args: () => ({ params: { interface: ids.nic } }) },
  },
  ip_pool_list: plain,
  ip_pool_view: { args: () => ({ params: { pool: 'default' } }) },
  silo_list: plain,
  silo_view: {
    'by name': { args: () => ({ params: { silo: 'main' } }) },
    'by id': { args: () => ({ params: { silo: server.siloId } }) },
  },
  utilization_view: plain,
}
