/** Control plane specification section 6: instances, their limits, states and parts. */
import { GiB, type InstanceState } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { blankDisk, reaches, smallInstance, unchanged } from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterAll(() => server.close())

const create = (name: string, values: object = {}) =>
  admin.call('instance_create', { query, body: smallInstance(name, values) })
const refusedCreate = (name: string, values: object = {}) =>
  admin.refusal('instance_create', { query, body: smallInstance(name, values) })

/** Puts an instance into a state that calls cannot reach or hold. */
async function force(id: string, run_state: InstanceState, withVm: boolean): Promise<void> {
  await server.db
    .updateTable('instance')
    .set({ run_state, vm_id: withVm ? crypto.randomUUID() : null, reconcile_at: null })
    .where('id', '=', id)
    .execute()
}

describe('a new instance', () => {
  test('has the defaults of the contract, an interface and an outbound address', async () => {
    const key = await admin.call('current_user_ssh_key_create', {
      body: { name: 'laptop', description: '', public_key: 'ssh-ed25519 AAAA' },
    })
    const instance = await create('plain')
    expect(instance).toMatchObject({
      name: 'plain',
      hostname: 'plain',
      boot_disk_id: null,
      auto_restart_enabled: true,
      auto_restart_policy: null,
      auto_restart_cooldown_expiration: null,
      cpu_platform: null,
      enable_jumbo_frames: false,
    })
    await reaches(admin, instance.id, 'stopped')
    const nics = await admin.call('instance_network_interface_list', {
      query: { instance: instance.id },
    })
    expect(nics.items).toHaveLength(1)
    expect(nics.items[0]).toMatchObject({
      name: 'net0',
      description: 'default primary interface for plain',
      primary: true,
      ip_stack: { type: 'dual_stack', value: { v4: { ip: '172.30.0.5', transit_ips: [] } } },
    })
    expect(nics.items[0]!.mac).toMatch(/^A8:40:25:F[0-9A-E]:[0-9A-F]{2}:[0-9A-F]{2}$/)
    const params = { instance: instance.id }
    const ips = await admin.call('instance_external_ip_list', { params })
    expect(ips.items).toMatchObject([{ kind: 'snat', first_port: 0, last_port: 16383 }])
    expect(ips.next_page).toBeNull()
    const keys = await admin.call('instance_ssh_public_key_list', { params })
    expect(keys.items.map(({ id }) => id)).toEqual([key.id])
  })

  test('shares one outbound address with three others', async () => {
    const ranges = new Set<string>()
    for (const name of ['snat-a', 'snat-b', 'snat-c', 'snat-d']) {
      const { id } = await create(name)
      const [snat] = (await admin.call('instance_external_ip_list', { params: { instance: id } }))
        .items
      if (snat?.kind === 'snat') ranges.add(`${snat.ip} ${snat.first_port}`)
    }
    expect(ranges.size).toBe(4)
    expect(new Set([...ranges].map((range) => range.split(' ')[0])).size).toBeLessThan(4)
  })

  test('boots from an image and runs', async () => {
    const [image] = (await admin.call('image_list')).items
    const instance = await create('from-image', {
      start: true,
      boot_disk: {
        type: 'create',
        ...blankDisk('from-image-boot', {
          size: 10 * GiB,
          disk_backend: {
            type: 'distributed',
            disk_source: { type: 'image', image_id: image!.id },
          },
        }),
      },
      disks: [{ type: 'create', ...blankDisk('from-image-data') }],
    })
    await reaches(admin, instance.id, 'running')
    const disks = await admin.call('instance_disk_list', { params: { instance: instance.id } })
    expect(disks.items.map(({ name, state }) => [name, state.state])).toEqual([
      ['from-image-boot', 'attached'],
      ['from-image-data', 'attached'],
    ])
    expect(disks.items[0]!.id).toBe(instance.boot_disk_id)
    expect(disks.items[0]!.image_id).toBe(image!.id)
  })

  test('takes a free disk by name, and the spelling of older clients', async () => {
    const disk = await admin.call('disk_create', { query, body: blankDisk('spare') })
    const instance = await create('old-client', {
      disks: [
        { type: 'attach', name: 'spare' },
        {
          type: 'create',
          name: 'old-style',
          description: '',
          size: GiB,
          disk_source: { type: 'blank', block_size: 4096 },
        },
      ],
      network_interfaces: { type: 'default' },
    })
    await reaches(admin, instance.id, 'stopped')
    const attached = await admin.call('disk_view', { params: { disk: disk.id } })
    expect(attached.state).toEqual({ state: 'attached', instance: instance.id })
  })

  test('can ask for an ephemeral address, lowest first', async () => {
    const { id } = await create('reachable', { external_ips: [{ type: 'ephemeral' }] })
    const { items } = await admin.call('instance_external_ip_list', { params: { instance: id } })
    expect(items.map(({ kind }) => kind)).toEqual(['ephemeral', 'snat'])
  })

  test('leaves nothing behind when one of its parts is refused', async () => {
    const counts = async () => ({
      instances: (await admin.call('instance_list', { query })).items.length,
      disks: (await admin.call('disk_list', { query })).items.length,
      used: await admin.call('utilization_view'),
    })
    const before = await counts()
    const refusal = await refusedCreate('half', {
      disks: [
        { type: 'create', ...blankDisk('half-a') },
        { type: 'create', ...blankDisk('half-a') },
      ],
    })
    expect(refusal).toEqual({
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: 'already exists: disk "half-a"',
    })
    expect(await counts()).toEqual(before)
  })
})

describe('refuses', () => {
  const nic = (name: string, vpc = 'default') => ({
    name,
    description: '',
    vpc_name: vpc,
    subnet_name: 'default',
  })
  const many = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ type: 'create', ...blankDisk(`many-${i}`) }))

  test.each([
    [{ ncpus: 255 }, 'cannot have more than 254 vCPUs per instance'],
    [{ memory: GiB - 1 }, 'unsupported value for "size": memory must be at least 1 GiB'],
    [{ memory: GiB + 1 }, 'unsupported value for "size": memory must be divisible by 1 GiB'],
    [
      { memory: 1537 * GiB },
      'unsupported value for "size": memory must be less than or equal to 1536 GiB',
    ],
    [{ disks: many(13) }, 'cannot attach more than 12 disks to instance'],
    [
      { disks: many(12), boot_disk: { type: 'create', ...blankDisk('boot') } },
      'cannot attach more than 12 disks to instance',
    ],
    [
      {
        network_interfaces: {
          type: 'create',
          params: Array.from({ length: 9 }, (_, i) => nic(`n${i}`)),
        },
      },
      'An instance may not have more than 8 network interfaces',
    ],
    [
      { network_interfaces: { type: 'create', params: [] } },
      'All interfaces must be in the same VPC',
    ],
    [
      { network_interfaces: { type: 'create', params: [nic('a'), nic('b', 'other')] } },
      'All interfaces must be in the same VPC',
    ],
    [
      { network_interfaces: { type: 'create', params: [nic('a'), nic('b')] } },
      'Each interface must be in a distinct VPC Subnet',
    ],
    [
      { external_ips: Array.from({ length: 3 }, () => ({ type: 'ephemeral' })) },
      'An instance may not have more than 2 ephemeral IP addresses',
    ],
    [{ multicast_groups: [{ group: 'a' }] }, 'multicast functionality is currently disabled'],
    [
      { ssh_public_keys: Array.from({ length: 101 }, (_, i) => `k${i}`) },
      'cannot attach more than 100 ssh keys to the instance',
    ],
    [
      { enable_jumbo_frames: true },
      'enable_jumbo_frames may only be set on an instance when the fleet-wide jumbo-frames opt-in is enabled by a fleet administrator',
    ],
    [{ disks: [{ type: 'attach', name: 'nowhere' }] }, 'not found: disk with name "nowhere"'],
    [{ ssh_public_keys: ['nobody'] }, 'not found: ssh-key with name "nobody"'],
    [{ anti_affinity_groups: ['apart'] }, 'not found: anti-affinity-group with name "apart"'],
    [
      { external_ips: [{ type: 'floating', floating_ip: 'fip' }] },
      'not found: floating-ip with name "fip"',
    ],
    [
      { external_ips: [{ type: 'ephemeral', pool_selector: { type: 'explicit', pool: 'no' } }] },
      'not found: ip-pool with name "no"',
    ],
    [
      { external_ips: [{ type: 'ephemeral', pool_selector: { type: 'auto', ip_version: 'v6' } }] },
      'not found: default unicast IPv6 pool for current silo',
    ],
  ])('%j', async (values, message) => {
    expect((await refusedCreate('refused', values)).message).toBe(message)
  })

  test('an ephemeral address without an interface for it', async () => {
    const { message } = await refusedCreate('bare', {
      network_interfaces: { type: 'none' },
      external_ips: [{ type: 'ephemeral' }],
    })
    expect(message).toMatch(
      /^The ephemeral external IP is an IPv4 address, but the instance with ID [0-9a-f-]{36} does not have a primary network interface with a VPC-private IPv4 address\. Add a VPC-private IPv4 address to the interface, or attach a different IP address$/,
    )
  })
})

describe('actions', () => {
  /** The outcome of each action in each state: a new state, or status and message of a refusal. */
  const table: [InstanceState, boolean, 'start' | 'stop' | 'reboot' | 'delete', string][] = [
    ['stopped', false, 'start', 'starting'],
    ['failed', false, 'start', 'starting'],
    ['running', true, 'start', 'running'],
    ['rebooting', true, 'start', 'rebooting'],
    ['migrating', true, 'start', 'migrating'],
    ['starting', true, 'start', 'starting'],
    ['stopping', true, 'start', '409 instance must finish stopping before it can be started'],
    [
      'creating',
      false,
      'start',
      '409 instance is in state creating but it must be stopped to be started',
    ],
    [
      'repairing',
      true,
      'start',
      '409 instance is in state repairing but it must be stopped to be started',
    ],
    ['running', true, 'stop', 'stopping'],
    ['starting', true, 'stop', 'stopping'],
    ['rebooting', true, 'stop', 'stopping'],
    ['migrating', true, 'stop', 'stopping'],
    ['stopping', true, 'stop', 'stopping'],
    ['stopped', false, 'stop', 'stopped'],
    ['failed', false, 'stop', 'stopped'],
    ['creating', false, 'stop', '400 cannot change instance state while it is still being created'],
    ['repairing', true, 'stop', '400 instance state cannot be changed from state "repairing"'],
    ['running', true, 'reboot', 'rebooting'],
    ['starting', true, 'reboot', 'starting'],
    ['rebooting', true, 'reboot', 'rebooting'],
    ['stopped', false, 'reboot', '400 cannot reboot an instance in state stopped with no VMM'],
    ['stopping', true, 'reboot', '400 cannot reboot instance in state "stopping"'],
    ['failed', false, 'reboot', '400 instance state cannot be changed from failed'],
    [
      'creating',
      false,
      'reboot',
      '400 cannot change instance state while it is still being created',
    ],
    [
      'running',
      true,
      'delete',
      '400 cannot delete instance: instance is running or has not yet fully stopped',
    ],
    [
      'stopping',
      true,
      'delete',
      '400 cannot delete instance: instance is running or has not yet fully stopped',
    ],
    ['creating', false, 'delete', '400 instance cannot be deleted in state "creating"'],
    ['failed', false, 'delete', ''],
    ['stopped', false, 'delete', ''],
  ]

  test.each(table)('%s (VM: %s), %s: %s', async (state, withVm, action, outcome) => {
    const { id } = await create(`act-${crypto.randomUUID().slice(0, 8)}`)
    await reaches(admin, id, 'stopped')
    await force(id, state, withVm)
    const path = action === 'delete' ? `/v1/instances/${id}` : `/v1/instances/${id}/${action}`
    const answer = await admin.send(action === 'delete' ? 'DELETE' : 'POST', path)
    const body = answer.body as { run_state?: string; message?: string } | undefined
    const found =
      answer.status < 300 ? (body?.run_state ?? '') : `${answer.status} ${body?.message}`
    expect(found).toBe(outcome)
    // The forced state has no machine behind it.
    await server.db.deleteFrom('instance').where('id', '=', id).execute()
  })

  test('take an instance from stopped to running, rebooted, stopped and deleted; the disk stays', async () => {
    const { id } = await create('whole-life', {
      boot_disk: { type: 'create', ...blankDisk('whole-life-disk') },
    })
    const params = { instance: id }
    await reaches(admin, id, 'stopped')
    const before = await admin.call('utilization_view')
    await admin.call('instance_start', { params })
    await reaches(admin, id, 'running')
    const during = await admin.call('utilization_view')
    expect(during.provisioned.cpus).toBe(before.provisioned.cpus + 1)
    expect(during.provisioned.memory).toBe(before.provisioned.memory + GiB)
    expect((await admin.call('instance_reboot', { params })).run_state).toBe('rebooting')
    await reaches(admin, id, 'running')
    await admin.call('instance_stop', { params })
    await reaches(admin, id, 'stopped')
    expect(await admin.call('utilization_view')).toEqual(before)
    await admin.call('instance_delete', { params })
    expect(await admin.refusal('instance_view', { params })).toMatchObject({ status: 404 })
    const disk = await admin.call('disk_view', { params: { disk: 'whole-life-disk' }, query })
    expect(disk.state).toEqual({ state: 'detached' })
    // Names of deleted things are free at once.
    await create('whole-life')
  })
})

describe('update', () => {
  test('accepts unchanged values in any state, and refuses others while running', async () => {
    const { id } = await create('resized', {
      start: true,
      boot_disk: { type: 'create', ...blankDisk('resized-boot') },
    })
    const params = { instance: id }
    const running = await reaches(admin, id, 'running')
    const update = unchanged(running)
    await admin.call('instance_update', { params, body: update })
    const never = { ...update, auto_restart_policy: 'never' as const }
    const changed = await admin.call('instance_update', { params, body: never })
    expect(changed).toMatchObject({ auto_restart_enabled: false, auto_restart_policy: 'never' })
    expect(
      await admin.refusal('instance_update', { params, body: { ...update, ncpus: 2 } }),
    ).toEqual({
      status: 409,
      error_code: 'Conflict',
      message: 'instance must be stopped to change CPU or memory',
    })
    expect(
      (await admin.refusal('instance_update', { params, body: { ...update, boot_disk: null } }))
        .message,
    ).toBe('instance must be stopped to set boot disk')
    await admin.call('instance_stop', { params })
    await reaches(admin, id, 'stopped')
    const bigger = { ...update, ncpus: 4, memory: 8 * GiB, boot_disk: null }
    expect(await admin.call('instance_update', { params, body: bigger })).toMatchObject({
      ncpus: 4,
      memory: 8 * GiB,
      boot_disk_id: null,
    })
  })

  test('requires every field, and an attached boot disk', async () => {
    const instance = await create('updated')
    const params = { instance: instance.id }
    const { ncpus: _, ...incomplete } = unchanged(instance)
    expect((await admin.refusal('instance_update', { params, body: incomplete })).message).toMatch(
      /^unable to parse JSON body: missing field `ncpus` at line 1 column \d+$/,
    )
    await admin.call('disk_create', { query, body: blankDisk('loose') })
    const body = { ...unchanged(instance), boot_disk: 'loose' }
    expect((await admin.refusal('instance_update', { params, body })).message).toBe(
      'boot disk must be attached',
    )
  })
})

test('quotas of the silo are enforced at start', async () => {
  const siloId = await server.createSilo('tight')
  const { caller } = await server.createUser('tight-admin', { silo: 'admin' }, siloId)
  // The silo has no address pool, so its instances have no interfaces.
  const bare = (name: string, values: object) => ({
    query: { project: 'p' },
    body: smallInstance(name, { network_interfaces: { type: 'none' }, ...values }),
  })
  await caller.call('project_create', { body: { name: 'p', description: '' } })
  const cpus = await caller.call('instance_create', bare('cpus', { ncpus: 17 }))
  const memory = await caller.call('instance_create', bare('memory', { memory: 65 * GiB }))
  await reaches(caller, cpus.id, 'stopped')
  await reaches(caller, memory.id, 'stopped')
  expect(await caller.refusal('instance_start', { params: { instance: cpus.id } })).toEqual({
    status: 507,
    error_code: 'InsufficientCapacity',
    message:
      'Insufficient capacity: vCPU Limit Exceeded: Not enough vCPUs to complete request. Either stop unused instances to free up resources or contact the rack operator to request a capacity increase.',
  })
  expect(
    (await caller.refusal('instance_start', { params: { instance: memory.id } })).message,
  ).toMatch(/^Insufficient capacity: Memory Limit Exceeded: /)
  // A refused start after the creation does not fail it.
  const started = await caller.call('instance_create', bare('started', { ncpus: 17, start: true }))
  await reaches(caller, started.id, 'stopped')
  const { provisioned } = await caller.call('utilization_view')
  expect(provisioned).toEqual({ cpus: 0, memory: 0, storage: 0 })
  const tooBig = {
    query: { project: 'p' },
    body: blankDisk('big', { size: 1000 * GiB }),
  }
  await caller.call('disk_create', tooBig)
  expect(
    (
      await caller.refusal('disk_create', {
        ...tooBig,
        body: blankDisk('more', { size: 100 * GiB }),
      })
    ).message,
  ).toMatch(/^Insufficient capacity: Storage Limit Exceeded: /)
})
