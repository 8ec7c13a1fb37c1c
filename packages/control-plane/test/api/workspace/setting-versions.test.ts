/** Versions of firewall rules, routes and settings: who, why, what, and how they are restored. */
import { type Operation, type OperationId, operationTable, type Wire } from '@steading/api'
import {
  CHANGE_REASON_HEADER,
  CHANGE_REASON_MAX,
  FLEET_ID,
  noIdentity,
  RESOURCE_CHANGED,
  SETTING_VERSIONS_BYTES,
  SETTING_VERSIONS_MAX,
  type SettingName,
  settingNames,
  versionedSettings,
} from '@steading/api/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { purgeSettingVersions } from '../../../src/resources/workspace/setting-versions/purge.ts'
import { type Caller, locationOf } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { runJob, targets } from '../../support/jobs.ts'
import { firewallRule } from '../../support/things.ts'
import { fromNow } from '../../support/times.ts'

let server: TestServer
let admin: Caller
let projectId: string
const query = { project: 'farm' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  const body = { name: 'farm', description: '' }
  projectId = (await admin.call('project_create', { body })).id
})
afterAll(() => server.close())

let count = 0
const createVpc = async () => {
  const name = `net-${count++}`
  const body = { name, description: '', dns_name: name }
  return admin.call('vpc_create', { query, body })
}
const rule = (name: string, more: object = {}) => firewallRule(name, { targets: [], ...more })
type Of = { setting: SettingName; thing: string }
const rulesOf = ({ id: thing }: { id: string }): Of => ({ setting: 'firewall_rules', thing })
const putRules = (vpc: { id: string }, rules: object[], caller = admin) =>
  caller.call('vpc_firewall_rules_update', { query: { vpc: vpc.id }, body: { rules } })
const list = (params: Of, caller = admin) => caller.call('setting_version_list', { params })
const versions = async (params: Of) => (await list(params)).items
const at = (params: Of, version: number | string) => ({
  params: { ...params, version: String(version) },
})
const contents = async (params: Of, version: number | string) => {
  const { items } = await admin.call('setting_version_view', at(params, version))
  return Object.fromEntries(items.map(({ key, value }) => [key, value])) as Record<string, object>
}
const restoring = (
  params: Of,
  version: number,
  body: Partial<Wire.SettingVersionRestore> = {},
) => ({
  ...at(params, version),
  body: { latest: 0, ...body },
})
const restore = async (params: Of, version: number, body: object = {}, caller = admin) => {
  const { version: latest } = (await versions(params))[0]!
  return caller.call('setting_version_restore', restoring(params, version, { latest, ...body }))
}
/** A call with a reason. */
const because = async <Op extends OperationId>(id: Op, reason: string, args: object) => {
  const headers = { [CHANGE_REASON_HEADER]: encodeURIComponent(reason) }
  const location = locationOf(id, args as never)
  return admin.send(operationTable[id].method, location, { ...args, headers })
}

test('a change has a version with its author, its reason and its difference', async () => {
  const vpc = await createVpc()
  const of = rulesOf(vpc)
  expect(await list(of)).toEqual({ items: [], modifiable: true })
  const helper = await server.createUser('helper', { projects: { [projectId]: 'collaborator' } })
  const body = { rules: [rule('web'), rule('mail', { priority: 5 })] }
  const answer = await because('vpc_firewall_rules_update', 'Öffnet die Mühle', {
    query: { vpc: vpc.id },
    body,
  })
  await putRules(vpc, [rule('mail', { priority: 6 }), rule('ssh')], helper.caller)
  // The same rules make no version.
  await putRules(vpc, [rule('ssh'), rule('mail', { priority: 6 })], helper.caller)
  const items = await versions(of)
  expect(items).toMatchObject([
    {
      version: 3,
      author: { id: helper.id, name: 'helper' },
      auth_method: 'session_cookie',
      operation_id: 'vpc_firewall_rules_update',
      reason: null,
      added: 1,
      changed: 1,
      removed: 1,
    },
    {
      version: 2,
      author: { name: 'admin' },
      request_id: answer.headers.get('x-request-id'),
      reason: 'Öffnet die Mühle',
      added: 2,
      changed: 0,
      removed: 3,
    },
    { version: 1, author: null, operation_id: null, added: 0, changed: 0, removed: 0 },
  ])
  expect(Object.keys(await contents(of, 1))).toEqual([
    'allow-icmp',
    'allow-internal-inbound',
    'allow-ssh',
  ])
  expect(await contents(of, 2)).toMatchObject({ mail: { priority: 5 }, web: { priority: 100 } })
  expect(await contents(of, 'present')).toEqual(await contents(of, 3))
  expect(await admin.refusal('setting_version_view', at(of, 4))).toMatchObject({ status: 404 })
})

test('a refused change has no version, and a bad reason is refused', async () => {
  const vpc = await createVpc()
  const put = { query: { vpc: vpc.id }, body: { rules: [rule('a'), rule('a')] } }
  expect((await because('vpc_firewall_rules_update', 'twice', put)).status).toBe(400)
  const path = locationOf('vpc_firewall_rules_update', put)
  for (const reason of ['%E0%A4%A', '%00', '%07', 'x'.repeat(CHANGE_REASON_MAX + 1)]) {
    const options = { body: { rules: [] }, headers: { [CHANGE_REASON_HEADER]: reason } }
    const refusal = await admin.refused('PUT', path, options)
    expect(refusal.status).toBe(400)
    expect(refusal.message).toContain(CHANGE_REASON_HEADER)
  }
  expect(await versions(rulesOf(vpc))).toEqual([])
})

test('a version is restored unless a newer one has been made', async () => {
  const vpc = await createVpc()
  const of = rulesOf(vpc)
  const hosts = [{ type: 'ip_net', value: '10.0.0.0/8' }]
  const protocols = [{ type: 'icmp', value: { icmp_type: 8, code: '0-3' } }, { type: 'tcp' }]
  const first = await putRules(vpc, [
    rule('web', { filters: { hosts, protocols, ports: ['80', '90-99'] } }),
  ])
  await putRules(vpc, [])
  const stale = restoring(of, 2, { latest: 2 })
  expect(await admin.refusal('setting_version_restore', stale)).toEqual({
    status: 412,
    error_code: 'PreconditionFailed',
    message: RESOURCE_CHANGED,
  })
  const restored = await restore(of, 2, { reason: ' They were needed ' })
  expect(restored).toMatchObject({
    version: 4,
    operation_id: 'setting_version_restore',
    restored_version: 2,
    reason: 'They were needed',
    added: 1,
  })
  const { rules } = await admin.call('vpc_firewall_rules_view', { query: { vpc: vpc.id } })
  expect(rules).toMatchObject([{ name: 'web', filters: first.rules[0]!.filters }])
  // Nothing differs, so no version is made.
  expect(await restore(of, 4)).toMatchObject({ version: 4 })
  const entry = await server.db
    .selectFrom('audit_log')
    .select(['operation_id', 'target_kind', 'target_id', 'project_id'])
    .where('request_id', '=', restored.request_id!)
    .executeTakeFirstOrThrow()
  expect(entry).toEqual({
    operation_id: 'setting_version_restore',
    target_kind: 'vpc',
    target_id: vpc.id,
    project_id: projectId,
  })
})

test('versions need the permissions of the setting', async () => {
  const vpc = await createVpc()
  const of = rulesOf(vpc)
  await putRules(vpc, [])
  const viewer = await server.createUser('viewer', { projects: { [projectId]: 'viewer' } })
  const stranger = await server.createUser('stranger')
  expect(await list(of, viewer.caller)).toMatchObject({ modifiable: false })
  await viewer.caller.call('setting_version_view', at(of, 1))
  const calls = [
    ['setting_version_restore', restoring(of, 1, { latest: 2 })],
    ['setting_version_reason_update', { ...at(of, 2), body: { reason: 'Mine' } }],
  ] as const
  for (const [id, args] of calls) {
    expect(await viewer.caller.refusal(id, args)).toMatchObject({ status: 403 })
    expect(await stranger.caller.refusal(id, args)).toMatchObject({ status: 404 })
  }
  const refused = await stranger.caller.refusal('setting_version_list', { params: of })
  expect(refused).toMatchObject({ status: 404 })
  // Quotas are read by admins of the silo, and set by operators.
  const silo = await server.createUser('silo-admin', { silo: 'admin' })
  const quotas: Of = { setting: 'silo_quotas', thing: server.siloId }
  expect(await list(quotas, silo.caller)).toMatchObject({ modifiable: false })
  for (const setting of settingNames.filter((name) => versionedSettings[name].of === 'fleet')) {
    if (setting === 'image_catalog') continue
    const params = { setting, thing: FLEET_ID }
    const asked = await silo.caller.refusal('setting_version_list', { params })
    expect(asked, setting).toMatchObject({ status: 403 })
  }
  // Settings of the own silo only.
  const other = await server.createSilo('elsewhere')
  for (const setting of ['auth_settings', 'deletion_policy', 'image_policy'] as const) {
    const params = { setting, thing: other }
    expect(await admin.refusal('setting_version_list', { params })).toMatchObject({ status: 404 })
  }
  const wrong = { setting: 'allow_list' as const, thing: vpc.id }
  expect(await admin.refusal('setting_version_list', { params: wrong })).toMatchObject({
    status: 404,
  })
})

test('a reason is added by the author, who may no longer change the setting, or by an admin', async () => {
  const vpc = await createVpc()
  const of = rulesOf(vpc)
  const author = await server.createUser('author', { projects: { [projectId]: 'collaborator' } })
  await putRules(vpc, [rule('web')], author.caller)
  await putRules(vpc, [])
  await server.db
    .updateTable('role_assignment')
    .set({ role_name: 'viewer' })
    .where('identity_id', '=', author.id)
    .execute()
  const caller = await server.signInAs(author.id)
  const reason = (version: number, text: string | null, by = caller) => ({
    by,
    args: { ...at(of, version), body: { reason: text } },
  })
  const own = reason(2, 'A trial')
  await expect
    .poll(async () => (await list(of, caller)).items.map((item) => item.reason_modifiable))
    .toEqual([false, true, false])
  expect(await own.by.call('setting_version_reason_update', own.args)).toMatchObject({
    reason: 'A trial',
    reason_modifiable: true,
  })
  const others = reason(3, 'Not mine')
  expect(await others.by.refusal('setting_version_reason_update', others.args)).toMatchObject({
    status: 403,
  })
  const removed = reason(2, '  ', admin)
  await admin.call('setting_version_reason_update', removed.args)
  expect((await versions(of)).map((item) => item.reason)).toEqual([null, null, null])
})

test('routes are versions of their router, and are restored with the targets of default routes', async () => {
  const vpc = await createVpc()
  const router = await admin.call('vpc_router_create', {
    query: { vpc: vpc.id },
    body: { name: 'custom', description: '' },
  })
  const of: Of = { setting: 'routes', thing: router.id }
  const inRouter = { router: router.id }
  const create = (name: string, value: string) =>
    admin.call('vpc_router_route_create', {
      query: inRouter,
      body: {
        name,
        description: 'to the mill',
        destination: { type: 'ip_net', value },
        target: { type: 'drop' },
      },
    })
  await create('north', '10.1.0.0/16')
  const south = await create('south', '10.2.0.0/16')
  const target = { type: 'ip', value: '10.9.0.1' } as const
  await admin.call('vpc_router_route_update', {
    params: { route: south.id },
    query: {},
    body: { name: 'west', destination: south.destination, target },
  })
  await admin.call('vpc_router_route_delete', { params: { route: south.id } })
  expect(await versions(of)).toMatchObject([
    { version: 5, operation_id: 'vpc_router_route_delete', removed: 1 },
    { version: 4, operation_id: 'vpc_router_route_update', added: 1, removed: 1 },
    { version: 3, operation_id: 'vpc_router_route_create', added: 1 },
    { version: 2, added: 1 },
    { version: 1, author: null },
  ])
  await create('east', '10.3.0.0/16')
  await restore(of, 4)
  expect(await contents(of, 'present')).toEqual(await contents(of, 4))
  const { items } = await admin.call('vpc_router_route_list', { query: inRouter })
  expect(items.map(({ name }) => name)).toEqual(['north', 'west'])
  expect(items[1]).toMatchObject({ description: 'to the mill', target })

  const system: Of = { setting: 'routes', thing: vpc.system_router_id }
  const routes = await admin.call('vpc_router_route_list', { query: { router: system.thing } })
  const {
    id,
    destination,
    target: before,
  } = routes.items.find(({ name }) => name === 'default-v4')!
  const params = { route: id }
  const toDrop = { destination, target: { type: 'drop' } }
  await admin.call('vpc_router_route_update', { params, query: {}, body: toDrop })
  await restore(system, 1)
  const restored = await admin.call('vpc_router_route_view', { params })
  expect(restored.target).toEqual(before)
})

test('members who are gone are named, and left out if the caller wants so', async () => {
  const body = { name: 'shed', description: '' }
  const { id } = await admin.call('project_create', { body })
  const of: Of = { setting: 'project_policy', thing: id }
  const ann = await server.createUser('ann')
  const robot = { name: 'robot', description: '' }
  const bob = await admin.call('service_account_create', {
    query: { project: 'shed' },
    body: robot,
  })
  const member = (user: { id: string }, role_name: string) => ({
    identity_id: user.id,
    identity_type: 'silo_user',
    role_name,
  })
  const put = (...role_assignments: object[]) =>
    admin.call('project_policy_update', {
      params: { project: id },
      body: { role_assignments },
    })
  await put(member(ann, 'viewer'), member(bob, 'viewer'), member(bob, 'admin'))
  await admin.call('service_account_delete', { params: { service_account: bob.id } })
  await put(member(ann, 'admin'))
  // The end of the service account changed the policy as well.
  expect(await versions(of)).toMatchObject([
    { version: 4, changed: 1, removed: 0 },
    { version: 3, author: null, removed: 1 },
    { version: 2, added: 2 },
    { version: 1 },
  ])
  const { items } = await admin.call('setting_version_view', at(of, 2))
  expect(items).toHaveLength(2)
  expect(items.find(({ key }) => key === bob.id)).toEqual({
    key: bob.id,
    name: 'robot',
    value: { identity_type: 'silo_user', role_names: ['admin', 'viewer'] },
    missing: [{ kind: 'silo_user', name: 'robot' }],
  })
  const latest = 4
  const all = await admin.refusal('setting_version_restore', restoring(of, 2, { latest }))
  expect(all).toMatchObject({ status: 400 })
  expect(all.message).toContain(noIdentity('silo_user', bob.id))
  expect(await versions(of)).toHaveLength(4)
  await restore(of, 2, { without_missing: true })
  expect(await contents(of, 'present')).toEqual({
    [ann.id]: { identity_type: 'silo_user', role_names: ['viewer'] },
  })
})

test('rules and routes name the subnets, instances and gateways that are gone', async () => {
  const vpc = await createVpc()
  const of = rulesOf(vpc)
  const targets = [
    { type: 'vpc', value: vpc.name },
    { type: 'subnet', value: 'default' },
    { type: 'subnet', value: 'gone' },
  ]
  const filters = { hosts: [{ type: 'instance', value: 'nobody' }] }
  await putRules(vpc, [rule('some', { targets, filters }), rule('other')])
  await putRules(vpc, [])
  const { items } = await admin.call('setting_version_view', at(of, 2))
  expect(items.map(({ key, missing }) => [key, missing])).toEqual([
    ['other', []],
    [
      'some',
      [
        { kind: 'vpc_subnet', name: 'gone' },
        { kind: 'instance', name: 'nobody' },
      ],
    ],
  ])
  await restore(of, 2, { without_missing: true })
  expect(Object.keys(await contents(of, 'present'))).toEqual(['other'])
  // Rules may name what does not exist yet.
  await restore(of, 2)
  expect(Object.keys(await contents(of, 'present'))).toEqual(['other', 'some'])
})

/** Two changes of each other setting, of the fleet or of the silo. */
const settings: Record<
  Exclude<SettingName, 'firewall_rules' | 'routes' | 'project_policy'>,
  (is: { silo: string; user: string }) => [object, object]
> = {
  silo_policy: ({ user }) => [policyWith(user, 'viewer'), policyWith(user, 'collaborator')],
  fleet_policy: ({ user }) => [policyWith(user, 'viewer'), policyWith(user, 'collaborator')],
  silo_quotas: () => [{ cpus: 50 }, { cpus: 60, memory: 2 ** 40 }],
  sign_in_policy: () => [{ second_factor: 'required' }, { second_factor: 'optional' }],
  auth_settings: () => [
    { device_token_max_ttl_seconds: 100 },
    { device_token_max_ttl_seconds: null },
  ],
  deletion_policy: () => [{ restorable_hours: 5 }, { restorable_hours: 0 }],
  image_policy: () => [{ members_use_silo_images: false }, { members_use_silo_images: true }],
  allow_list: () => [
    { allowed_ips: { allow: 'list', ips: ['127.0.0.0/8'] } },
    { allowed_ips: { allow: 'any' } },
  ],
  inbound_icmp: () => [{ enabled: false }, { enabled: true }],
  networking_settings: () => [
    { external_jumbo_frames_opt_in_enabled: true },
    { external_jumbo_frames_opt_in_enabled: false },
  ],
  price_list: () => [
    { currency: 'EUR', shown_to_silos: true, versions: [] },
    { currency: null, shown_to_silos: false, versions: [] },
  ],
  image_catalog: () => [{ images: [] }, { images: null }],
}

const policyWith = (user: string, role: string) => ({ user, role })

test.each(Object.entries(settings))('%s is restored', async (name, make) => {
  const setting = name as keyof typeof settings
  const { of, change, read } = versionedSettings[setting]
  const { id: user } = await server.createUser(`of-${name.replaceAll('_', '-')}`)
  const thing = of === 'fleet' ? FLEET_ID : server.siloId
  const params = { silo: server.siloId }
  const view = () => admin.call(read, { params } as never) as Promise<object>
  const policyBody = async (with_: object) => {
    if (!('user' in with_)) return with_
    const { role_assignments } = (await view()) as Wire.SiloRolePolicy
    const mine = {
      identity_id: with_.user,
      identity_type: 'silo_user',
      role_name: (with_ as { role?: string }).role,
    }
    const others = role_assignments.filter(({ identity_id }) => identity_id !== with_.user)
    return { role_assignments: [...others, mine] }
  }
  const put = async (body: object) => {
    await admin.call(change as OperationId, { params, body: await policyBody(body) } as never)
  }
  const [first, second] = make({ silo: thing, user })
  await put(first)
  const wanted = await view()
  const { version } = (await versions({ setting, thing }))[0]!
  await put(second)
  const is = { setting, thing }
  expect((await versions(is))[0]!.version).toBe(version + 1)
  await restore(is, version)
  const { time_modified: _a, ...restored } = (await view()) as Record<string, unknown>
  const { time_modified: _b, ...before } = wanted as Record<string, unknown>
  expect(restored).toEqual(before)
  expect(await contents(is, 'present')).toEqual(await contents(is, version))
  await restore(is, version - 1)
})

/** PUTs without versions, with the reason. */
const exempt: Record<string, string> = {
  affinity_group_update: 'a form of a named resource',
  alert_rule_update: 'a form of a named resource',
  anti_affinity_group_update: 'a form of a named resource',
  current_user_mail_address_update: "a user's own",
  current_user_password_update: 'a secret',
  dashboard_update: "a user's own",
  disk_contents_write: 'bytes of a disk',
  external_subnet_update: 'a form of a named resource',
  factor_setup: 'a secret',
  floating_ip_update: 'a form of a named resource',
  group_members_update: 'adds and removes members, which the audit log has',
  host_update: 'an address, which the audit log has',
  storage_pool_update: 'a name and a description',
  silo_storage_pool_update: 'one choice, which the audit log has',
  host_fencing_update: 'has a secret',
  instance_multicast_group_join: 'adds a member',
  instance_network_interface_update: 'a form of a named resource',
  instance_template_update: 'a form of a named resource',
  instance_update: 'a form of a named resource',
  networking_bgp_announce_set_update: 'a form of a named resource',
  networking_bgp_config_update: 'a form of a named resource',
  note_replace: 'has versions of its own',
  notification_settings_update: "a user's own",
  notification_subscription_update: "a user's own, with a secret",
  oidc_identity_provider_update: 'has a secret',
  passkey_update: "a user's own",
  physical_disk_enable_adoption: 'a request',
  project_update: 'a form of a named resource',
  saml_sign_in_settings_update: 'a part of a provider, whose other parts cannot be changed',
  schedule_update: 'a form of a named resource',
  second_factor_setup: 'a secret',
  service_account_update: 'a form of a named resource',
  setting_version_reason_update: 'a part of a version',
  simulated_disk_set_health: 'an event of the simulation',
  simulated_instance_set_load: 'an event of the simulation',
  simulated_power_supply_update: 'an event of the simulation',
  simulated_sled_set_power: 'an event of the simulation',
  simulated_uplink_update: 'an event of the simulation',
  sled_maintenance_update: 'ends with the maintenance',
  sled_set_provision_policy: 'a single word, which the audit log has',
  support_bundle_update: 'a form of a named resource',
  support_bundle_update_experimental: 'a form of a named resource',
  system_alert_rule_update: 'a form of a named resource',
  system_ip_pool_silo_update: 'a single word, which the audit log has',
  system_ip_pool_update: 'a form of a named resource',
  system_subnet_pool_silo_update: 'a single word, which the audit log has',
  system_subnet_pool_update: 'a form of a named resource',
  system_update_recovery_finish: 'a request',
  system_update_repository_upload: 'a file',
  tags_replace: 'of any resource, with its history in the audit log',
  target_release_update: 'starts an update, which cannot be taken back',
  update_upload_write: 'a part of a file',
  view_update: "a user's own",
  user_mail_address_update: 'of a person',
  vpc_router_update: 'a form of a named resource',
  vpc_subnet_update: 'a form of a named resource',
  vpc_update: 'a form of a named resource',
  webhook_receiver_update: 'a form of a named resource',
}

test('every operation that replaces something has versions, or a reason not to', () => {
  const rows = Object.entries(operationTable) as [OperationId, Operation][]
  const without = rows
    .filter(([, { method, permission }]) => method === 'PUT' && permission !== 'scim')
    .filter(([, { versioned }]) => !versioned)
    .map(([id]) => id)
  expect(without.sort()).toEqual(Object.keys(exempt).sort())
  for (const setting of settingNames) {
    const { change } = versionedSettings[setting]
    expect(operationTable[change as OperationId].versioned, change).toBe(setting)
  }
})

const parts = ({ thing }: Of) =>
  server.db.selectFrom('setting_version_item').selectAll().where('thing_id', '=', thing).execute()

test('versions over the limits of number and bytes are removed', async () => {
  const vpc = await createVpc()
  const of = rulesOf(vpc)
  await putRules(vpc, [rule('web')])
  await putRules(vpc, [])
  const [newest] = await server.db
    .selectFrom('setting_version')
    .selectAll()
    .where('thing_id', '=', vpc.id)
    .orderBy('version', 'desc')
    .execute()
  const more = Array.from({ length: SETTING_VERSIONS_MAX - 3 }, (_, at) => ({
    ...newest!,
    version: 4 + at,
  }))
  await server.db.insertInto('setting_version').values(more).execute()
  await putRules(vpc, [rule('mail')])
  const items = await versions(of)
  expect(items).toHaveLength(SETTING_VERSIONS_MAX)
  expect(items.at(-1)!.version).toBe(2)
  expect(items[0]!.version).toBe(SETTING_VERSIONS_MAX + 1)
  // The rules of the first version alone are gone.
  expect((await parts(of)).map(({ item_key }) => item_key).toSorted()).toEqual(['mail', 'web'])
  await server.db
    .updateTable('setting_version')
    .set({ size: SETTING_VERSIONS_BYTES })
    .where('thing_id', '=', vpc.id)
    .where('version', '=', 90)
    .execute()
  await putRules(vpc, [rule('ssh')])
  expect((await versions(of)).at(-1)!.version).toBe(91)
})

test('large versions take a limited number of bytes @long', async () => {
  const vpc = await createVpc()
  const of = rulesOf(vpc)
  const big = (priority: number) => ({
    targets: Array.from({ length: 256 }, (_, at) => ({ type: 'ip', value: `10.0.${at}.1` })),
    priority,
  })
  const size = JSON.stringify(big(1)).length
  const many = Math.ceil(SETTING_VERSIONS_BYTES / 10 / size)
  for (let priority = 0; priority < 20; priority += 1) {
    await putRules(
      vpc,
      Array.from({ length: many }, (_, at) => rule(`r-${at}`, big(priority))),
    )
  }
  const stored = (await parts(of)).reduce((sum, { value }) => sum + value.length, 0)
  expect(stored).toBeLessThan(SETTING_VERSIONS_BYTES * 1.2)
  expect((await versions(of)).length).toBeLessThan(12)
})

test('old versions are removed except for the newest, and those of deleted resources later', async () => {
  const vpc = await createVpc()
  const of = rulesOf(vpc)
  await putRules(vpc, [rule('a')])
  await putRules(vpc, [rule('b')])
  await putRules(vpc, [])
  const purge = (before: Date) => purgeSettingVersions(server.db, before.toISOString(), () => true)
  await purge(new Date(0))
  expect(await versions(of)).toHaveLength(4)
  await purge(fromNow(60_000))
  expect(await versions(of)).toMatchObject([{ version: 4 }])
  await putRules(vpc, [rule('c')])
  await admin.call('deletion_policy_update', { body: { restorable_hours: 24 } })
  const subnets = await admin.call('vpc_subnet_list', { query: { vpc: vpc.id } })
  for (const { id } of subnets.items)
    await admin.call('vpc_subnet_delete', { params: { subnet: id } })
  await admin.call('vpc_delete', { params: { vpc: vpc.id } })
  await purge(new Date(0))
  const kept = await admin.call('deleted_resource_search', { query: { ...query, limit: 1000 } })
  const { id } = kept.items.find(({ name }) => name === vpc.name)!
  await admin.call('deleted_resource_restore', { params: { deleted_resource: id }, body: {} })
  expect(await versions(of)).toMatchObject([{ version: 5 }, { version: 4 }])
  await restore(of, 4)
  await server.db.deleteFrom('vpc').where('id', '=', vpc.id).execute()
  await purge(new Date(0))
  const left = server.db.selectFrom('setting_version').select('version')
  expect(await left.where('thing_id', '=', vpc.id).execute()).toEqual([])
  expect(await parts(of)).toEqual([])
  await admin.call('deletion_policy_update', { body: { restorable_hours: 0 } })
})

test('the changes of a job are one version', async () => {
  const vpc = await createVpc()
  const router = await admin.call('vpc_router_create', {
    query: { vpc: vpc.id },
    body: { name: 'bulk', description: '' },
  })
  const of: Of = { setting: 'routes', thing: router.id }
  const things: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const body = {
      name,
      description: '',
      destination: { type: 'ip', value: `10.0.0.${things.length + 1}` },
      target: { type: 'drop' },
    }
    const route = await admin.call('vpc_router_route_create', {
      query: { router: router.id },
      body,
    })
    things.push(route.id)
  }
  const job = await runJob(admin, 'delete', 'router_route', targets(...things), 'farm')
  const items = await versions(of)
  expect(items).toHaveLength(5)
  expect(items[0]).toMatchObject({ job_id: job.id, removed: 3, author: { name: 'admin' } })
  await restore(of, 4)
  expect(Object.keys(await contents(of, 'present'))).toEqual(['a', 'b', 'c'])
})

test('the order of versions is that of the changes, also with a clock set back', async () => {
  const vpc = await createVpc()
  const of = rulesOf(vpc)
  const names = Array.from({ length: 8 }, (_, at) => `r-${at}`)
  await Promise.all(names.map((name) => putRules(vpc, [rule(name)])))
  await server.db
    .updateTable('setting_version')
    .set({ time_created: fromNow(3_600_000).toISOString() })
    .where('thing_id', '=', vpc.id)
    .execute()
  await putRules(vpc, [rule('last')])
  const items = await versions(of)
  expect(items.map(({ version }) => version)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  expect(Object.keys(await contents(of, 10))).toEqual(['last'])
  const made = await Promise.all(
    items.slice(1, -1).map(async ({ version }) => Object.keys(await contents(of, version))[0]!),
  )
  expect(made.toSorted()).toEqual(names)
})
