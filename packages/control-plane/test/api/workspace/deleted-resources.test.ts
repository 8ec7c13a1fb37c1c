/** Deleted resources: what is kept, what returns, what is in the way, and when it ends. */
import { randomBytes } from 'node:crypto'
import type { Wire } from '@steading/api'
import { GiB, RESTORABLE_HOURS_MAX, restoreMessages } from '@steading/api/rules'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { findDangling } from '../../../src/kernel/db/references.ts'
import { releaseExcess } from '../../../src/resources/workspace/deleted-resources/release.ts'
import type { Caller } from '../../support/caller.ts'
import { stopClocks } from '../../support/clock.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { outcomes, plan, runJob, start, done, targets } from '../../support/jobs.ts'
import { addSubnetPool } from '../../support/networks.ts'
import { contentsOf, importedDisk } from '../../support/storage.ts'
import {
  affinityBody,
  detachedDisk,
  reaches,
  sshKeyBody,
  stoppedInstance,
  until,
} from '../../support/things.ts'

let server: TestServer
let admin: Caller
let projectId: string
const query = { project: 'work' }
const HOUR_MS = 3_600_000

beforeAll(async () => {
  // The clock is set forward by hours.
  server = await startTestServer({ sessionIdleMs: 100 * HOUR_MS })
  admin = server.admin
  projectId = (await admin.call('project_create', { body: { name: 'work', description: '' } })).id
})
afterAll(() => server.close())

const keep = (restorable_hours: number) =>
  admin.call('deletion_policy_update', { body: { restorable_hours } })
beforeEach(() => keep(24))

let count = 0
const fresh = (word = 'it') => `${word}-${count++}`
const kept = async (caller = admin) =>
  (await caller.call('deleted_resource_search', { query: { ...query, limit: 1000 } })).items
const view = (id: string) =>
  admin.call('deleted_resource_view', { params: { deleted_resource: id } })
const restore = (id: string, name?: string, caller = admin) =>
  caller.call('deleted_resource_restore', {
    params: { deleted_resource: id },
    body: name === undefined ? {} : { name },
  })
const refused = (id: string, name?: string, caller = admin) =>
  caller.refusal('deleted_resource_restore', {
    params: { deleted_resource: id },
    body: name === undefined ? {} : { name },
  })
const deleteDisk = (disk: string) => admin.call('disk_delete', { params: { disk } })
const storage = async () => (await admin.call('utilization_view')).provisioned.storage
const hasVolume = async (id: string) =>
  (
    await server.db
      .selectFrom('disk')
      .select('has_volume')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).has_volume === 1
const whole = async () => expect(await findDangling(server.db)).toEqual([])

test('while the policy keeps nothing, a deletion is for good', async () => {
  await keep(0)
  const before = await storage()
  const { id } = await detachedDisk(admin, query, fresh())
  await deleteDisk(id)
  expect(await storage()).toBe(before)
  expect(
    await admin.refusal('deleted_resource_view', { params: { deleted_resource: id } }),
  ).toMatchObject({ status: 404 })
  await until(
    () => hasVolume(id),
    (has) => expect(has).toBe(false),
  )
})

test('the policy has a limit, and belongs to the admins of the silo', async () => {
  const body = { restorable_hours: RESTORABLE_HOURS_MAX + 1 }
  expect(await admin.refusal('deletion_policy_update', { body })).toMatchObject({ status: 400 })
  const { caller } = await server.createUser(fresh(), { silo: 'collaborator' })
  expect(
    await caller.refusal('deletion_policy_update', { body: { restorable_hours: 1 } }),
  ).toMatchObject({ status: 403 })
  expect(await caller.call('deletion_policy_view')).toMatchObject({ restorable_hours: 24 })
})

describe('an instance', () => {
  /** A stopped instance with everything that can belong to one. */
  async function machine() {
    const name = fresh('box')
    const bytes = randomBytes(4096)
    const boot = await importedDisk(admin, 'work', fresh('boot'), bytes)
    const data = await detachedDisk(admin, query, fresh('data'))
    const group = await admin.call('affinity_group_create', { query, body: affinityBody(fresh()) })
    const key = await admin.call('current_user_ssh_key_create', { body: sshKeyBody(fresh()) })
    const floating = await admin.call('floating_ip_create', {
      query,
      body: { name: fresh('ip'), description: '', address_allocator: { type: 'auto' } } as never,
    })
    const instance = await stoppedInstance(admin, query, name, {
      boot_disk: { type: 'attach', name: boot.name },
      disks: [{ type: 'attach', name: data.name }],
      ssh_public_keys: [key.id],
      affinity_groups: [group.id],
      external_ips: [
        { type: 'ephemeral', pool_selector: { type: 'auto' } },
        { type: 'floating', floating_ip: floating.id },
      ],
    })
    await admin.call('tags_replace', {
      params: { kind: 'instance', thing: instance.id },
      body: { tags: ['env:prod'] },
    })
    return { instance, boot, data, floating, group, bytes }
  }
  const looks = async (id: string) => {
    const params = { instance: id }
    const { items: disks } = await admin.call('instance_disk_list', { params })
    const { items: nics } = await admin.call('instance_network_interface_list', {
      query: { instance: id },
    })
    const { items: ips } = await admin.call('instance_external_ip_list', { params })
    const { items: groups } = await admin.call('instance_affinity_group_list', { params })
    const { tags } = await admin.call('tags_view', { params: { kind: 'instance', thing: id } })
    const { items: keys } = await admin.call('instance_ssh_public_key_list', { params })
    const {
      time_modified: _,
      time_run_state_updated: __,
      ...itself
    } = await admin.call('instance_view', { params })
    return {
      itself,
      disks: disks.map(({ id: disk, state }) => ({ disk, state })),
      nics: nics.map(({ id: nic, mac, ip_stack }) => ({ nic, mac, ip_stack })),
      ips: ips.map(({ kind, ip }) => ({ kind, ip })).toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
      groups: groups.map(({ id: group }) => group),
      tags,
      keys: keys.map(({ id: key }) => key),
    }
  }

  test('returns with its disks, addresses and memberships, as it was', async () => {
    const { instance, boot, data, bytes } = await machine()
    const before = await looks(instance.id)
    const used = await storage()
    await admin.call('instance_delete', { params: { instance: instance.id } })
    await runJob(admin, 'delete', 'disk', targets(boot.id, data.id))
    expect(await storage()).toBe(used - 2 * GiB)
    expect((await view(instance.id)).parts).toEqual(
      expect.arrayContaining([
        { noun: 'disk', name: data.name, fate: 'attached' },
        { noun: 'network interface', name: 'net0', fate: 'restored' },
        { noun: 'tag', name: 'env:prod', fate: 'restored' },
      ]),
    )
    const { kept_resources, kept_storage } = await admin.call('deletion_policy_view')
    expect(kept_resources).toBe(3)
    expect(kept_storage).toBe(2 * GiB)
    const answer = await restore(instance.id)
    expect(answer).toMatchObject({ id: instance.id, name: instance.name, notes: [] })
    expect(answer.with.map(({ id }) => id).toSorted()).toEqual([boot.id, data.id].toSorted())
    expect(await looks(instance.id)).toEqual(before)
    expect(await storage()).toBe(used)
    expect(await contentsOf(admin, 'disks', boot.id, 0, bytes.length)).toEqual(bytes)
    expect(await kept()).toEqual([])
    await whole()
    await admin.call('instance_start', { params: { instance: instance.id } })
    await reaches(admin, instance.id, 'running')
  })

  test('returns with other addresses and without what others have taken since', async () => {
    const { instance, data, floating, boot } = await machine()
    const [nic] = (
      await admin.call('instance_network_interface_list', { query: { instance: instance.id } })
    ).items
    await admin.call('instance_delete', { params: { instance: instance.id } })
    // Another instance takes the name, the private address, a disk and the floating address.
    const v4 = (nic!.ip_stack as { value: { v4: { ip: string } } }).value.v4.ip
    const thief = await stoppedInstance(admin, query, instance.name, {
      disks: [{ type: 'attach', name: data.name }],
      external_ips: [{ type: 'floating', floating_ip: floating.id }],
      network_interfaces: {
        type: 'create',
        params: [
          {
            name: 'net0',
            description: '',
            vpc_name: 'default',
            subnet_name: 'default',
            ip_config: {
              type: 'v4',
              value: { ip: { type: 'explicit', value: v4 }, transit_ips: [] },
            },
          },
        ],
      },
    })
    await deleteDisk(boot.id)
    await admin.call('deleted_resource_delete', { params: { deleted_resource: boot.id } })
    expect(await view(instance.id)).toMatchObject({ name_taken: true, obstacle: null })
    expect(await refused(instance.id)).toMatchObject({
      status: 400,
      error_code: 'ObjectAlreadyExists',
    })
    const name = fresh('again')
    const { notes } = await restore(instance.id, name)
    expect(notes).toEqual(
      expect.arrayContaining([
        restoreMessages.noBootDisk,
        restoreMessages.notAttached(`Disk ${data.name}`, restoreMessages.changed),
        restoreMessages.notAttached(`Floating IP ${floating.name}`, restoreMessages.changed),
        expect.stringMatching(new RegExp(`^Address ${v4} is in use`)),
      ]),
    )
    expect(await admin.call('instance_view', { params: { instance: instance.id } })).toMatchObject({
      name,
      run_state: 'stopped',
      boot_disk_id: null,
    })
    expect((await looks(thief.id)).disks.map(({ disk }) => disk)).toEqual([data.id])
    await whole()
  })
})

describe('a network', () => {
  const rulesOf = async (vpc: string) =>
    (await admin.call('vpc_firewall_rules_view', { query: { vpc } })).rules.map(({ name }) => name)

  /** A VPC with a subnet, a custom router with a route, and a gateway. */
  async function network() {
    const name = fresh('net')
    const vpc = await admin.call('vpc_create', {
      query,
      body: { name, description: '', dns_name: name },
    })
    await admin.call('vpc_subnet_delete', {
      params: { subnet: 'default' },
      query: { ...query, vpc: name },
    })
    const router = await admin.call('vpc_router_create', {
      query: { vpc: vpc.id },
      body: { name: 'custom', description: '' },
    })
    const route = await admin.call('vpc_router_route_create', {
      query: { router: router.id },
      body: {
        name: 'drop-it',
        description: '',
        destination: { type: 'ip_net', value: '10.1.0.0/16' },
        target: { type: 'drop' },
      } as never,
    })
    const subnet = await admin.call('vpc_subnet_create', {
      query: { vpc: vpc.id },
      body: {
        name: 'front',
        description: '',
        ipv4_block: '10.0.0.0/24',
        custom_router: 'custom',
      } as never,
    })
    return { vpc, router, route, subnet }
  }

  test('returns in the order of its parts when a job restores all of them', async () => {
    const { vpc, router, route, subnet } = await network()
    const rules = await rulesOf(vpc.id)
    const job = await admin.call('job_create', {
      body: {
        action: 'delete',
        kind: 'vpc',
        project: 'work',
        target: targets(vpc.id),
        chain: true,
      },
    })
    await start(admin, job)
    await done(admin, job)
    expect((await view(subnet.id)).obstacle).toBe(restoreMessages.parentDeleted('VPC', vpc.name))
    expect(await refused(subnet.id)).toMatchObject({ status: 409 })
    const all = await runJob(admin, 'restore', 'deleted_resource', targets(subnet.id, vpc.id))
    expect(await outcomes(admin, all)).toEqual([
      `restore ${vpc.name}: succeeded`,
      `restore ${subnet.name}: succeeded`,
    ])
    expect(await rulesOf(vpc.id)).toEqual(rules)
    expect(await admin.call('vpc_subnet_view', { params: { subnet: subnet.id } })).toMatchObject({
      ipv4_block: '10.0.0.0/24',
      custom_router_id: router.id,
    })
    expect(
      await admin.call('vpc_router_route_view', { params: { route: route.id } }),
    ).toMatchObject({ name: 'drop-it' })
    const system = await admin.call('vpc_router_route_list', {
      query: { router: vpc.system_router_id },
    })
    expect(system.items.map(({ name }) => name).toSorted()).toContain('front')
    await whole()
  })

  test('its router is used again by the subnets that had it, and a taken block is refused', async () => {
    const { vpc, router, subnet } = await network()
    await admin.call('vpc_router_delete', { params: { router: router.id } })
    await restore(router.id)
    const viewed = () => admin.call('vpc_subnet_view', { params: { subnet: subnet.id } })
    expect((await viewed()).custom_router_id).toBe(router.id)
    await admin.call('vpc_subnet_delete', { params: { subnet: subnet.id } })
    const other = await admin.call('vpc_subnet_create', {
      query: { vpc: vpc.id },
      body: { name: 'other', description: '', ipv4_block: '10.0.0.0/24' },
    })
    expect(await refused(subnet.id)).toMatchObject({ status: 409 })
    await admin.call('vpc_subnet_delete', { params: { subnet: other.id } })
    await restore(subnet.id)
    await admin.call('vpc_subnet_delete', { params: { subnet: subnet.id } })
    await admin.call('vpc_delete', { params: { vpc: vpc.id } })
    await admin.call('deleted_resource_delete', { params: { deleted_resource: vpc.id } })
    expect((await refused(subnet.id)).message).toContain(restoreMessages.parentGone('VPC'))
    await whole()
  })
})

test('a gateway returns with its routes, except for those whose names are taken', async () => {
  const name = fresh('net')
  const vpc = await admin.call('vpc_create', {
    query,
    body: { name, description: '', dns_name: name },
  })
  const gateway = await admin.call('internet_gateway_create', {
    query: { vpc: vpc.id },
    body: { name: 'out', description: '' },
  })
  const router = await admin.call('vpc_router_create', {
    query: { vpc: vpc.id },
    body: { name: 'custom', description: '' },
  })
  const route = (called: string, target: object) =>
    admin.call('vpc_router_route_create', {
      query: { router: router.id },
      body: {
        name: called,
        description: '',
        destination: { type: 'ip_net', value: called === 'one' ? '10.1.0.0/16' : '10.2.0.0/16' },
        target,
      } as never,
    })
  const out = { type: 'internet_gateway', value: 'out' }
  const { id: one } = await route('one', out)
  await route('two', out)
  await admin.call('internet_gateway_delete', {
    params: { gateway: gateway.id },
    query: { cascade: true },
  })
  await route('two', { type: 'drop' })
  const { notes } = await restore(gateway.id)
  expect(notes).toEqual([restoreMessages.leftOut('Route two', restoreMessages.nameTaken('two'))])
  const { items } = await admin.call('vpc_router_route_list', { query: { router: router.id } })
  expect(items.map(({ name: called }) => called).toSorted()).toEqual(['one', 'two'])
  expect(items.find(({ id }) => id === one)!.target).toEqual(out)
  await whole()
})

test('an external subnet whose network is in use stays deleted, its instance returns', async () => {
  await addSubnetPool(server.db, 'networks', ['2001:db8::/56'], { siloId: server.siloId })
  const pool_selector = { type: 'explicit' as const, pool: 'networks' }
  const create = (allocator: object) =>
    admin.call('external_subnet_create', {
      query,
      body: { name: fresh('sub'), description: '', allocator } as never,
    })
  const subnet = await create({ type: 'auto', prefix_length: 64, pool_selector })
  const { id } = await stoppedInstance(admin, query, fresh('box'))
  await admin.call('external_subnet_attach', {
    params: { external_subnet: subnet.id },
    body: { instance: id },
  })
  await admin.call('instance_delete', { params: { instance: id } })
  await admin.call('external_subnet_delete', { params: { external_subnet: subnet.id } })
  await create({ type: 'explicit', subnet: subnet.subnet })
  const { notes } = await restore(id)
  const reason = restoreMessages.subnetInUse(subnet.subnet)
  expect(notes).toEqual([restoreMessages.notAttached(`External subnet ${subnet.name}`, reason)])
  expect(await refused(subnet.id)).toMatchObject({ status: 409, message: reason })
  await whole()
})

test('a floating IP returns with its address, or with another one if that is taken', async () => {
  const create = (allocator: object) =>
    admin.call('floating_ip_create', {
      query,
      body: { name: fresh('ip'), description: '', address_allocator: allocator } as never,
    })
  const { id, ip } = await create({ type: 'auto' })
  const remove = () => admin.call('floating_ip_delete', { params: { floating_ip: id } })
  await remove()
  expect((await restore(id)).notes).toEqual([])
  await remove()
  await create({ type: 'explicit', ip })
  const { notes } = await restore(id)
  const now = await admin.call('floating_ip_view', { params: { floating_ip: id } })
  expect(notes).toEqual([restoreMessages.otherAddress(ip, now.ip)])
  await whole()
})

test('a snapshot and its image return with their bytes, in any order of their ends', async () => {
  const bytes = randomBytes(4096)
  const disk = await importedDisk(admin, 'work', fresh('disk'), bytes, fresh('snap'))
  const { items } = await admin.call('snapshot_list', { query: { ...query, limit: 1000 } })
  const snapshot = items.find(({ disk_id }) => disk_id === disk.id)!
  const image = await admin.call('image_create', {
    query,
    body: {
      name: fresh('image'),
      description: '',
      os: 'a',
      version: '1',
      source: { type: 'snapshot', id: snapshot.id },
    },
  })
  await admin.call('snapshot_delete', { params: { snapshot: snapshot.id } })
  await admin.call('image_delete', { params: { image: image.id } })
  await admin.call('deleted_resource_delete', { params: { deleted_resource: snapshot.id } })
  const volumes = () => server.host.controlPlane.engines.volumes.listSnapshots()
  await restore(image.id)
  expect(await volumes()).toContain(snapshot.id)
  await admin.call('image_delete', { params: { image: image.id } })
  await admin.call('deleted_resource_delete', { params: { deleted_resource: image.id } })
  await until(volumes, (left) => expect(left).not.toContain(snapshot.id))
})

describe('rights', () => {
  test('count for the kind of the resource, at the moment of restoring', async () => {
    const disk = await detachedDisk(admin, query, fresh())
    const vpc = await admin.call('vpc_create', {
      query,
      body: { name: fresh(), description: '', dns_name: fresh() },
    })
    await deleteDisk(disk.id)
    const { items } = await admin.call('vpc_subnet_list', { query: { vpc: vpc.id } })
    for (const { id } of items) await admin.call('vpc_subnet_delete', { params: { subnet: id } })
    await admin.call('vpc_delete', { params: { vpc: vpc.id } })
    const { caller, id: userId } = await server.createUser(fresh(), {
      projects: { [projectId]: 'limited_collaborator' },
    })
    expect((await kept(caller)).map(({ id }) => id)).toContain(vpc.id)
    expect(await refused(vpc.id, undefined, caller)).toMatchObject({ status: 403 })
    const job = await plan(caller, 'restore', 'deleted_resource', targets(disk.id, vpc.id))
    expect(job.counts).toMatchObject({ refused: 1, waiting: 1 })
    await server.db
      .updateTable('role_assignment')
      .set({ role_name: 'viewer' })
      .where('identity_id', '=', userId)
      .execute()
    await start(caller, job)
    expect(await done(caller, job)).toMatchObject({ counts: { refused: 1, failed: 1 } })
    await restore(disk.id)
    await restore(vpc.id)
  })

  test('end at the border of the silo', async () => {
    const { id } = await detachedDisk(admin, query, fresh())
    await deleteDisk(id)
    const silo = await server.createSilo(fresh('silo'))
    const { caller } = await server.createUser(fresh(), { silo: 'admin' }, silo)
    expect(await refused(id, undefined, caller)).toMatchObject({ status: 404 })
    await restore(id)
  })
})

test('of several attempts to restore or release at once, one succeeds', async () => {
  const before = await storage()
  const { id } = await detachedDisk(admin, query, fresh())
  await deleteDisk(id)
  const path = `/x/v1/deleted-resources/${id}`
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => admin.send('POST', `${path}/restore`, { body: {} })),
    ...Array.from({ length: 4 }, () => admin.send('DELETE', path)),
  ])
  const succeeded = answers.filter(({ status }) => status < 300)
  expect(succeeded).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(7)
  expect(await storage()).toBe(before + (succeeded[0]!.status === 200 ? GiB : 0))
})

test('a silo keeps so many, and the oldest beyond end', async () => {
  const names = [fresh(), fresh(), fresh()]
  for (const name of names) await deleteDisk((await detachedDisk(admin, query, name)).id)
  const all = (await kept()).length
  await releaseExcess(server.db, new Date(), all - 2)
  const { id } = (await kept()).find(({ name }) => name === names.at(-1))!
  const oldest = (await kept())
    .toSorted((a, b) => (a.time_deleted < b.time_deleted ? -1 : 1))
    .slice(2)
    .map((one) => one.id)
  await restore(id)
  // A wake-up of the reconciler.
  await deleteDisk(id)
  await admin.call('deleted_resource_delete', { params: { deleted_resource: id } })
  await until(
    () => kept(),
    (left) =>
      expect(left.map((one) => one.id).toSorted()).toEqual(
        oldest.filter((one) => one !== id).toSorted(),
      ),
  )
})

describe('time', () => {
  afterEach(() => vi.useRealTimers())

  test('ends the possibility to restore, also when the policy is off by then', async () => {
    const early = await detachedDisk(admin, query, fresh())
    const wakes: string[] = []
    for (let others = 0; others < 2; others++) {
      const { id } = await detachedDisk(admin, query, fresh())
      await deleteDisk(id)
      wakes.push(id)
    }
    /** Wakes the reconciler by the end of another resource. */
    const wake = () =>
      admin.call('deleted_resource_delete', { params: { deleted_resource: wakes.pop()! } })
    await deleteDisk(early.id)
    await keep(0)
    const before = await storage()
    const now = Date.now()
    const left = (id: string) => async () => (await kept()).some((one) => one.id === id)
    stopClocks(now - 20 * HOUR_MS)
    await wake()
    expect(await left(early.id)()).toBe(true)
    await restore(early.id)
    vi.useRealTimers()
    await keep(1)
    await deleteDisk(early.id)
    expect(await hasVolume(early.id)).toBe(true)
    stopClocks(now + 2 * HOUR_MS)
    await wake()
    await until(left(early.id), (is) => expect(is).toBe(false))
    expect(await storage()).toBe(before)
    await until(
      () => hasVolume(early.id),
      (has) => expect(has).toBe(false),
    )
  })
})

test('a project ends with everything that is kept of it', async () => {
  const before = await storage()
  const name = fresh('gone')
  await admin.call('project_create', { body: { name, description: '' } })
  const { id } = await detachedDisk(admin, { project: name }, fresh())
  await deleteDisk(id)
  const { groups } = await admin.call('project_deletion', { params: { project: name } })
  expect(groups).toContainEqual(
    expect.objectContaining({ kind: 'deleted_resource', relation: 'goes', total: 1 }),
  )
  const vpcs: Wire.Vpc[] = (await admin.call('vpc_list', { query: { project: name } })).items
  for (const { id: vpc } of vpcs) {
    const { items } = await admin.call('vpc_subnet_list', { query: { vpc } })
    for (const { id: subnet } of items)
      await admin.call('vpc_subnet_delete', { params: { subnet } })
    await admin.call('vpc_delete', { params: { vpc } })
  }
  await admin.call('project_delete', { params: { project: name } })
  expect(await refused(id)).toMatchObject({ status: 404 })
  await until(storage, (now) => expect(now).toBe(before))
  await whole()
})
