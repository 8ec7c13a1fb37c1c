/** One way or two to call each operation, for a walk over all of them with all kinds of callers. */
import type { OperationId } from '@steading/api'
import {
  DEVICE_GRANT_TYPE,
  type FleetRole,
  type KindName,
  type SiloRole,
} from '@steading/api/rules'
import type { CallArgs, Caller } from './caller.ts'
import { ADMIN_PASSWORD, type TestServer } from './harness.ts'
import {
  affinityBody,
  blankDisk,
  detachedDisk,
  smallInstance,
  sshKeyBody,
  stoppedInstance,
} from './things.ts'

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
  bystander: '',
  group: '',
  floatingIp: '',
}

/** Makes the callers, and the things that the operations are called on. */
export async function createWorld(on: TestServer): Promise<void> {
  // Files share this module, and each has a server of its own.
  keptView = undefined
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
  for (const kind of ['affinity_group', 'anti_affinity_group'] as const) {
    await admin.call(`${kind}_create`, { query, body: affinityBody('cluster') })
    const params = { affinity_group: 'cluster', anti_affinity_group: 'cluster', instance: 'box' }
    await admin.call(`${kind}_member_instance_add`, { params, query })
  }
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
   * The status for a caller who has the permission, if it is not success: the state of the thing
   * forbids the call, which is checked after the permission.
   */
  passes?: number
  /** Kinds of the operation's permission that this call is about, if not all. */
  about?: KindName[]
}
type Probes = { [Op in OperationId]: Probe<Op> | Record<string, Probe<Op>> }

const box = { params: { instance: 'box' }, query: parents }
const plain = { args: () => ({}) }
/** Writes the present policy back, so that no role changes. */
const same = <Op extends 'policy_update' | 'system_policy_update' | 'project_policy_update'>(
  view: 'policy_view' | 'system_policy_view' | 'project_policy_view',
  params = {},
): Probe<Op> => ({
  args: async () =>
    ({ params, body: await server.admin.call(view, { params } as never) }) as CallArgs<Op>,
})

const viewBody = (shared: { project?: string } = {}) => ({
  name: fresh(),
  list: 'disk' as const,
  query: {},
  ...shared,
})
const sharedView = async () =>
  (await server.admin.call('view_create', { body: viewBody(parents) })).id
/** A view for calls that leave it where it is; of the present world. */
let keptView: Promise<string> | undefined

/** A stopped instance for one call, without anything. */
async function freshInstance(values: object = { network_interfaces: { type: 'none' } }) {
  const { name } = await stoppedInstance(server.admin, parents, fresh(), values)
  return name
}

/** The ways to call one kind of group; the two differ in the name of a parameter. */
function groupProbes<Kind extends 'affinity_group' | 'anti_affinity_group'>(kind: Kind) {
  const named = (group: string, rest: object = {}) => ({
    params: { [kind]: group, ...rest },
    query: parents,
  })
  const make = async () => {
    const name = fresh()
    await server.admin.call(`${kind}_create`, { query: parents, body: affinityBody(name) } as never)
    return name
  }
  const member = named('cluster', { instance: 'box' })
  const made = {
    [`${kind}_list`]: { args: () => ({ query: parents }) },
    [`${kind}_create`]: { args: () => ({ query: parents, body: affinityBody(fresh()) }) },
    [`${kind}_view`]: { args: () => named('cluster') },
    [`${kind}_update`]: { args: () => ({ ...named('cluster'), body: { description: fresh() } }) },
    [`${kind}_delete`]: { args: async () => named(await make()) },
    [`${kind}_member_list`]: { args: () => named('cluster') },
    [`${kind}_member_instance_view`]: { args: () => member },
    [`${kind}_member_instance_add`]: {
      args: async () => named(await make(), { instance: await freshInstance() }),
    },
    [`${kind}_member_instance_delete`]: {
      async args() {
        const args = named(await make(), { instance: await freshInstance() })
        await server.admin.call(`${kind}_member_instance_add`, args as never)
        return args
      },
    },
  }
  return made as unknown as Pick<Probes, Extract<OperationId, `${Kind}_${string}`>>
}

const attachedDisk = { params: { disk: 'data' }, query: parents }
const imageBody = (id: string) => ({
  name: fresh(),
  description: '',
  os: 'Plan 9',
  version: '4',
  source: { type: 'snapshot' as const, id },
})
const newImage = async (project: string | null): Promise<string> =>
  (await server.createImage(fresh(), project)).name

const nobodysJob = { args: () => ({ params: { job: crypto.randomUUID() } }), passes: 404 }

export const probes: Probes = {
  ping: plain,
  login_local: {
    args: () => ({
      params: { silo_name: 'main' },
      body: { username: 'admin', password: ADMIN_PASSWORD },
    }),
  },
  logout: plain,
  user_logout: { args: () => ({ params: { user_id: ids.bystander } }) },
  // Codes that nobody was given.
  device_auth_request: { args: () => ({ body: { client_id: crypto.randomUUID() } }) },
  device_auth_confirm: { args: () => ({ body: { user_code: 'BCDF-GHJK' } }), passes: 404 },
  device_access_token: {
    args: () => ({
      body: {
        client_id: crypto.randomUUID(),
        device_code: 'none',
        grant_type: DEVICE_GRANT_TYPE,
      },
    }),
    passes: 400,
  },
  current_user_access_token_list: plain,
  current_user_access_token_delete: {
    args: () => ({ params: { token_id: crypto.randomUUID() } }),
    passes: 404,
  },
  user_token_list: { args: () => ({ params: { user_id: ids.bystander } }) },
  user_session_list: { args: () => ({ params: { user_id: ids.bystander } }) },
  current_user_session_list: plain,
  current_user_session_delete: {
    args: () => ({ params: { session_id: crypto.randomUUID() } }),
    passes: 404,
  },
  current_user_session_delete_others: plain,
  auth_settings_view: plain,
  auth_settings_update: { args: () => ({ body: { device_token_max_ttl_seconds: null } }) },
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
  instance_create: {
    args: () => ({ query: parents, body: smallInstance(fresh()) }),
    about: ['project'],
  },
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
    args: async () => ({ params: { instance: await freshInstance() }, query: parents }),
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
  // The second time it is the first that is returned.
  instance_ephemeral_ip_attach: { args: () => ({ ...box, body: {} }) },
  instance_ephemeral_ip_detach: {
    args: () => ({ params: { instance: 'broken' }, query: parents }),
    passes: 400,
  },
  instance_affinity_group_list: { args: () => box },
  instance_anti_affinity_group_list: { args: () => box },
  instance_ssh_public_key_list: { args: () => box },
  instance_serial_console: {
    args: () => ({ ...box, query: { ...parents, from_start: 0 } }),
    passes: 400,
  },
  instance_serial_console_stream: { args: () => box, passes: 400 },
  serial_console_follow: { args: () => box, passes: 400 },
  serial_console_log: { args: () => box },
  disk_list: { args: () => ({ query: parents }) },
  disk_create: {
    args: () => ({ query: parents, body: blankDisk(fresh()) }),
    about: ['project'],
  },
  disk_view: {
    'by name': { args: () => ({ params: { disk: 'data' }, query: parents }) },
    'by id': { args: () => ({ params: { disk: ids.data } }) },
  },
  // Attached, and so neither to be deleted nor imported to.
  disk_delete: { args: () => attachedDisk, passes: 400 },
  disk_bulk_write_import_start: { args: () => attachedDisk, passes: 400 },
  disk_bulk_write_import: {
    args: () => ({ ...attachedDisk, body: { offset: 0, base64_encoded_data: '' } }),
    passes: 400,
  },
  disk_bulk_write_import_stop: { args: () => attachedDisk, passes: 400 },
  disk_finalize_import: { args: () => ({ ...attachedDisk, body: {} }), passes: 400 },
  disk_contents_write: {
    args: () => ({ ...attachedDisk, query: { ...parents, offset: 0 } }),
    passes: 400,
  },
  disk_import_view: { args: () => attachedDisk, passes: 400 },
  disk_contents: { args: () => attachedDisk },
  disk_checksum: { args: () => ({ ...attachedDisk, query: { ...parents, length: 512 } }) },
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
  image_create: {
    'in a project': {
      args: () => ({ query: parents, body: imageBody(ids.snapshot) }),
      about: ['project', 'snapshot'],
    },
    'in the silo': {
      args: () => ({ body: imageBody(ids.snapshot) }),
      about: ['silo_image', 'snapshot'],
    },
  },
  image_delete: {
    'of a project': {
      args: async () => ({ params: { image: await newImage(ids.project) }, query: parents }),
      about: ['image'],
    },
    'of the silo': {
      args: async () => ({ params: { image: await newImage(null) } }),
      about: ['silo_image'],
    },
  },
  image_promote: {
    args: async () => ({ params: { image: await newImage(ids.project) }, query: parents }),
  },
  image_demote: {
    args: async () => ({ params: { image: await newImage(null) }, query: parents }),
  },
  snapshot_create: {
    args: () => ({ query: parents, body: { name: fresh(), description: '', disk: 'data' } }),
  },
  snapshot_delete: {
    async args() {
      const body = { name: fresh(), description: '', disk: 'data' }
      await server.admin.call('snapshot_create', { query: parents, body })
      return { params: { snapshot: body.name }, query: parents }
    },
  },
  snapshot_contents: { args: () => ({ params: { snapshot: 'snap' }, query: parents }) },
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
  // Full, and so neither to be deleted.
  vpc_delete: { args: () => ({ params: { vpc: 'default' }, query: parents }), passes: 400 },
  vpc_subnet_delete: { args: () => ({ params: { subnet: ids.subnet } }), passes: 400 },
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
  instance_network_interface_create: {
    args: async () => ({
      query: { ...parents, instance: await freshInstance() },
      body: { name: 'net0', description: '', vpc_name: 'default', subnet_name: 'default' },
    }),
  },
  instance_network_interface_update: {
    args: () => ({ params: { interface: ids.nic }, body: { description: fresh() } }),
  },
  instance_network_interface_delete: {
    args: async () => ({
      params: { interface: 'net0' },
      query: { ...parents, instance: await freshInstance({}) },
    }),
  },
  floating_ip_list: { args: () => ({ query: parents }) },
  floating_ip_create: {
    args: () => ({ query: parents, body: { name: fresh(), description: '' } }),
  },
  floating_ip_view: {
    'by name': { args: () => ({ params: { floating_ip: 'front' }, query: parents }) },
    'by id': { args: () => ({ params: { floating_ip: ids.floatingIp } }) },
  },
  floating_ip_update: {
    args: () => ({ params: { floating_ip: ids.floatingIp }, body: { description: fresh() } }),
  },
  // Attached, and so not to be deleted.
  floating_ip_delete: {
    args: () => ({ params: { floating_ip: ids.floatingIp } }),
    passes: 400,
  },
  floating_ip_attach: {
    args: () => ({
      params: { floating_ip: ids.floatingIp },
      body: { kind: 'instance', parent: ids.box },
    }),
  },
  floating_ip_detach: { args: () => ({ params: { floating_ip: 'loose' }, query: parents }) },
  ...groupProbes('affinity_group'),
  ...groupProbes('anti_affinity_group'),
  ip_pool_list: plain,
  ip_pool_view: { args: () => ({ params: { pool: 'default' } }) },
  silo_list: plain,
  silo_view: {
    'by name': { args: () => ({ params: { silo: 'main' } }) },
    'by id': { args: () => ({ params: { silo: server.siloId } }) },
  },
  utilization_view: plain,
  instance_search: { args: () => ({ query: parents }) },
  disk_search: { args: () => ({ query: parents }) },
  snapshot_search: { args: () => ({ query: parents }) },
  image_search: {
    'of a project': { args: () => ({ query: parents }), about: ['project'] },
    'of the silo': { args: () => ({}), about: ['silo_image'] },
  },
  floating_ip_search: { args: () => ({ query: parents }) },
  affinity_group_search: { args: () => ({ query: parents }) },
  anti_affinity_group_search: { args: () => ({ query: parents }) },
  project_search: plain,
  current_user_ssh_key_search: plain,
  instance_deletion: { args: () => box },
  instance_failure: { args: () => box },
  disk_deletion: { args: () => attachedDisk },
  snapshot_deletion: { args: () => ({ params: { snapshot: 'snap' }, query: parents }) },
  image_deletion: {
    'of a project': {
      args: () => ({ params: { image: 'img' }, query: parents }),
      about: ['image'],
    },
    'of the silo': { args: () => ({ params: { image: 'debian-13' } }), about: ['silo_image'] },
  },
  project_deletion: { args: () => ({ params: parents }) },
  // A job belongs to its user, which the tests of jobs check.
  job_create: {
    args: () => ({ body: { action: 'delete', kind: 'project', target: { type: 'ids', ids: [] } } }),
    passes: 400,
  },
  find: { args: () => ({ query: { text: 'web' } }) },
  audit_log_list: { args: () => ({ query: { start_time: '2026-01-01T00:00:00Z' } }) },
  audit_entry_list: plain,
  audit_log_export: {
    args: () => ({ query: { format: 'csv', end_time: '2026-01-01T00:00:00Z' } }),
  },
  // What the history of a thing takes is checked by its tests.
  history_list: {
    args: () => ({ query: { kind: 'disk', id: crypto.randomUUID() } }),
    passes: 404,
  },
  star_list: plain,
  // Stars and views of one's own are checked by their tests.
  star_create: { args: () => ({ body: { kind: 'disk', id: crypto.randomUUID() } }), passes: 404 },
  star_delete: { args: () => ({ params: { thing: crypto.randomUUID() } }), passes: 404 },
  view_list: {
    'of a project': { args: () => ({ query: { list: 'disk', ...parents } }) },
    'of the caller': { args: () => ({ query: { list: 'disk' } }), about: [] },
  },
  view_create: {
    'in a project': { args: () => ({ body: viewBody(parents) }) },
    'for the caller': { args: () => ({ body: viewBody() }), about: [] },
  },
  view_update: {
    args: async () => ({
      params: { view: await (keptView ??= sharedView()) },
      body: { position: 3 },
    }),
  },
  view_delete: { args: async () => ({ params: { view: await sharedView() } }) },
  job_list: plain,
  job_view: nobodysJob,
  job_item_list: nobodysJob,
  job_start: nobodysJob,
  job_cancel: nobodysJob,
  job_retry: nobodysJob,
  job_delete: nobodysJob,
}
