/** Issues for operators: each is reported while it lasts, and no longer. */
import { type IssueKind, issueRules, type Wire } from '@steading/api'
import { GiB, kindTable, type KindName } from '@steading/api/rules'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { makeCertificate } from '../../../../api/test/support/certificates.ts'
import { loadUser } from '../../../src/kernel/authz/actor.ts'
import { disksInTrouble } from '../../../src/resources/hardware/physical-disks/issues.ts'
import { sledsInTrouble } from '../../../src/resources/hardware/sleds/issues.ts'
import { addReceiver, PSU_REMOVED } from '../../support/alerts.ts'
import type { Caller } from '../../support/caller.ts'
import { stopClocks } from '../../support/clock.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { plan, targets } from '../../support/jobs.ts'
import { base64, identityProviderBody, metadataOf } from '../../support/saml/provider.ts'
import { blankDisk, detachedDisk, reaches, smallInstance, until } from '../../support/things.ts'
import {
  addPeer,
  applyTo,
  clearPorts,
  createBgpConfig,
  portSettings,
} from '../../support/uplinks.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterAll(() => server.close())
afterEach(() => vi.useRealTimers())

const issues = async (...kinds: IssueKind[]) =>
  (await admin.call('issue_list')).items.filter(({ kind }) => kinds.includes(kind as IssueKind))
const sentences = async (...kinds: IssueKind[]) =>
  (await issues(...kinds)).map(({ sentence }) => sentence)
const told = (kind: IssueKind, ...wanted: string[]) =>
  until(
    () => sentences(kind),
    (them) => expect(them).toEqual(wanted),
  )

test('a healthy rack has no issues', async () => {
  expect(await admin.call('issue_list')).toEqual({ items: [], more: false })
})

test('changes of things with issues make the list of issues stale', () => {
  for (const { about } of Object.values(issueRules)) {
    for (const kind of about) expect(kindTable[kind as KindName].reads).toContain('issue_list')
  }
})

test('time series points later than the clock', async () => {
  const store = server.host.controlPlane.engines.timeSeries!
  const minutes = (count: number) => {
    vi.advanceTimersByTime(count * 60_000)
    const sample = { name: 'a:b', fields: {}, timestamp: Date.now(), datum: count }
    return store.append([sample])
  }
  stopClocks()
  const begin = Date.now()
  await minutes(0)
  await minutes(20)
  expect(await issues('time_series_ahead')).toEqual([])
  vi.setSystemTime(begin)
  await minutes(1)
  expect(await issues('time_series_ahead')).toEqual([
    {
      id: 'time_series_ahead:store',
      kind: 'time_series_ahead',
      severity: 'warning',
      sentence:
        'Points of time series are later than the clock and were set aside: the clock was ahead when they were measured, or is behind now',
      time_began: new Date(begin + 60_000).toISOString(),
      path: '/system/metrics',
      next: 'See the metrics',
    },
  ])
  for (let passed = 1; passed < 21; passed++) await minutes(1)
  await told('time_series_ahead')
  const [found] = await store.read({ name: 'a:b', where: [] }, 100)
  expect(found!.timestamps).toHaveLength(22)
})

test('a sled that does not respond, and an instance that failed with it', async () => {
  const body = smallInstance('wheel', {
    network_interfaces: { type: 'none' },
    start: true,
    auto_restart_policy: 'never',
  })
  const { id } = await admin.call('instance_create', { query, body })
  await reaches(admin, id, 'running')
  const { items } = await admin.call('sled_search', {
    query: { sort_by: 'used_hardware_threads_descending' },
  })
  const [sled] = items
  const { serial } = sled!.baseboard
  const power = (on: boolean) =>
    admin.call('simulated_sled_set_power', { params: { serial }, body: { on } })
  await power(false)
  await told('sled_not_responding', `Sled ${serial} does not respond`)
  const [down] = await issues('sled_not_responding')
  expect(down).toMatchObject({
    severity: 'critical',
    path: `/system/inventory/sleds/${sled!.id}/instances`,
    next: 'Restore or expunge it',
  })
  expect(Date.parse(down!.time_began!)).toBeLessThanOrEqual(Date.now())
  const failed = await until(
    () => issues('instance_failed'),
    (found) => expect(found).toHaveLength(1),
  )
  expect(failed[0]!.sentence).toMatch(/^Instance wheel of project work in silo main has failed: /)
  expect(failed[0]!.path).toBe('/projects/work/instances/wheel/storage')
  // Failures come before warnings.
  const all = (await admin.call('issue_list')).items.map(({ severity }) => severity)
  expect(all).toEqual(all.toSorted())

  await power(true)
  await told('sled_not_responding')
  await admin.call('instance_start', { params: { instance: id } })
  await told('instance_failed')
  await reaches(admin, id, 'running')
})

test('an instance that is stuck', async () => {
  const body = smallInstance('stones', { network_interfaces: { type: 'none' } })
  const { id } = await admin.call('instance_create', { query, body })
  await reaches(admin, id, 'stopped')
  const write = (run_state: 'stopping' | 'stopped', age: number) =>
    server.db
      .updateTable('instance')
      .set({ run_state, time_run_state_updated: new Date(Date.now() - age).toISOString() })
      .where('id', '=', id)
      .execute()
  await write('stopping', 9 * 60_000)
  expect(await sentences('instance_stuck')).toEqual([])
  await write('stopping', 11 * 60_000)
  expect(await sentences('instance_stuck')).toEqual([
    'Instance stones of project work in silo main is stuck in state stopping',
  ])
  await write('stopped', 0)
  expect(await sentences('instance_stuck')).toEqual([])
})

test('a failed disk, and its replacement', async () => {
  const { items } = await admin.call('physical_disk_search', { query: { limit: 1 } })
  const { serial } = items[0]!
  const [sled] = (await admin.call('sled_list')).items.filter(({ id }) => id === items[0]!.sled_id)
  const setHealth = (healthy: boolean) =>
    admin.call('simulated_disk_set_health', { params: { serial }, body: { healthy } })
  await setHealth(false)
  await told('physical_disk_failed', `Disk ${serial} of sled ${sled!.baseboard.serial} has failed`)
  await admin.call('simulated_disk_replace', { params: { serial } })
  await told('physical_disks_waiting', '1 disk is waiting to be adopted')
  await admin.call('physical_disk_expunge', { params: { disk_id: items[0]!.id } })
  await told('physical_disk_failed')
  const waiting = (await admin.call('physical_disk_list_unadopted')).items
  await admin.call('physical_disk_enable_adoption', { body: waiting[0]!.disk_id })
  await told('physical_disks_waiting')
  expect(await sentences('physical_disk_failed', 'physical_disks_waiting')).toEqual([])
})

test('a sled waiting to be added', async () => {
  const { part_number, serial_number } = await admin.call('simulated_sled_insert')
  await told('sleds_waiting', '1 sled is waiting to be added')
  expect((await issues('sleds_waiting'))[0]!.path).toBe('/system/inventory/waiting')
  const [rack] = (await admin.call('rack_list')).items
  await admin.call('rack_membership_add_sleds', {
    params: { rack_id: rack!.id },
    body: { sled_ids: [{ part_number, serial_number }] },
  })
  await told('sleds_waiting')
})

test('expunged hardware, until it is decommissioned', async () => {
  const undone = new Error('undone')
  let found: Wire.Issue[] = []
  const actor = await loadUser(server.db, (await admin.call('current_user_view')).id)
  // The reconciler would continue at once: it does not see uncommitted changes.
  const looking = server.host.controlPlane.database.transaction(async (db) => {
    const disk = await db.selectFrom('physical_disk').selectAll().executeTakeFirstOrThrow()
    await db
      .updateTable('physical_disk')
      .set({ policy: 'expunged', state: 'active' })
      .where('id', '=', disk.id)
      .execute()
    await db
      .updateTable('sled')
      .set({ policy: 'expunged', state: 'active' })
      .where('id', '<>', disk.sled_id)
      .execute()
    const { uplinks } = server.host.controlPlane.engines
    const outages = { damage: () => undefined, lasts: () => false, recognize: () => undefined }
    const engine = { name: 'simulated', lacks: [] } as const
    const search = {
      db,
      now: new Date(),
      actor: actor!,
      services: {
        engine,
        uplinks,
        timeSeries: undefined,
        hosts: undefined,
        dataDisk: undefined,
        database: {},
        outages,
      },
    }
    found = [...(await sledsInTrouble(search)), ...(await disksInTrouble(search))]
    throw undone
  })
  await expect(looking).rejects.toBe(undone)
  expect(new Set(found.map(({ kind }) => kind))).toEqual(
    new Set(['sled_expunged', 'physical_disk_expunged']),
  )
})

test('an address pool that is nearly full, full, and given a range', async () => {
  const pool = 'narrow'
  const at = { params: { pool } }
  await admin.call('system_ip_pool_create', { body: { name: pool, description: '' } })
  const first = '198.51.100.1'
  await admin.call('system_ip_pool_range_add', { ...at, body: { first, last: '198.51.100.10' } })
  const body = { silo: 'main', is_default: false }
  await admin.call('system_ip_pool_silo_link', { ...at, body })
  const take = (name: string) =>
    admin.call('floating_ip_create', {
      query,
      body: {
        name,
        description: '',
        address_allocator: { type: 'auto', pool_selector: { type: 'explicit', pool } },
      },
    })
  for (let n = 1; n <= 8; n++) await take(`ip-${n}`)
  const filling = () => issues('ip_pool_full', 'ip_pool_nearly_full')
  expect(await filling()).toEqual([])
  await take('ip-9')
  expect(await filling()).toMatchObject([
    {
      severity: 'warning',
      sentence: 'IP pool narrow is nearly full: 1 of 10 addresses is left',
      path: '/system/networking/ip-pools/narrow',
      next: 'Add a range',
    },
  ])
  await take('ip-10')
  expect(await filling()).toMatchObject([
    { severity: 'critical', sentence: 'IP pool narrow is full' },
  ])
  const more = { first: '198.51.100.101', last: '198.51.100.200' }
  await admin.call('system_ip_pool_range_add', { ...at, body: more })
  expect(await filling()).toEqual([])
})

test('a full pool of subnets', async () => {
  const pool = 'yards'
  const at = { params: { pool } }
  await admin.call('system_subnet_pool_create', {
    body: { name: pool, description: '', ip_version: 'v4' },
  })
  const add = (subnet: string) =>
    admin.call('system_subnet_pool_member_add', { ...at, body: { subnet } })
  await add('203.0.113.0/24')
  const body = { silo: 'main', is_default: false }
  await admin.call('system_subnet_pool_silo_link', { ...at, body })
  await admin.call('external_subnet_create', {
    query,
    body: {
      name: 'yard',
      description: '',
      allocator: {
        type: 'auto',
        prefix_length: 24,
        pool_selector: { type: 'explicit', pool },
      },
    },
  })
  expect(await sentences('subnet_pool_full')).toEqual(['Subnet pool yards is full'])
  await add('192.0.2.0/24')
  expect(await sentences('subnet_pool_full', 'subnet_pool_nearly_full')).toEqual([])
})

test('a silo near its quota', async () => {
  const body = blankDisk('sacks', { size: 9 * GiB })
  await admin.call('disk_create', { query, body })
  const { provisioned } = await admin.call('utilization_view')
  const set = (storage: number) =>
    admin.call('silo_quotas_update', { params: { silo: 'main' }, body: { storage } })
  await set(Math.ceil(provisioned.storage / 0.95))
  expect(await issues('silo_near_quota')).toMatchObject([
    {
      severity: 'warning',
      sentence: 'Silo main uses 94% of its storage',
      path: '/system/silos/main/quotas',
    },
  ])
  await set(provisioned.storage)
  expect(await sentences('silo_near_quota')).toEqual(['Silo main uses all of its storage'])
  await set(provisioned.storage * 2)
  expect(await sentences('silo_near_quota')).toEqual([])
})

test('an expiring certificate of a silo, until it is replaced', async () => {
  const names = ['main.sys.cloud.example']
  const add = async (name: string, days: number) => {
    const { cert, key } = await makeCertificate({ names, days })
    const body = { name, description: '', service: 'external_api' as const, cert, key }
    return admin.call('certificate_create', { body })
  }
  const { id } = await add('autumn', 10)
  expect(await issues('certificate_expiring')).toMatchObject([
    {
      severity: 'warning',
      sentence: 'Certificate autumn of silo main expires in 9 days',
      path: '/certificates',
    },
  ])
  const ended = { time_ends: new Date(Date.now() - 1000).toISOString() }
  await server.db.updateTable('certificate').set(ended).where('id', '=', id).execute()
  expect(await sentences('certificate_expired')).toEqual([
    'Certificate autumn of silo main has expired',
  ])
  await add('winter', 90)
  expect(await sentences('certificate_expired', 'certificate_expiring')).toEqual([])
})

test('an identity provider with expiring certificates', async () => {
  await server.createSilo('corp', { identity_mode: 'saml_jit' })
  const add = async (name: string, days: number) => {
    const { cert, key } = await makeCertificate({ keyType: 'RSA-2048', days })
    const data = base64(metadataOf([{ certificate: cert, key }]))
    const idp_metadata_source = { type: 'base64_encoded_xml', data }
    await admin.call('saml_identity_provider_create', {
      query: { silo: 'corp' },
      body: identityProviderBody(name, { idp_metadata_source }),
    })
  }
  await add('old', 10)
  await add('ended', -2)
  await add('young', 90)
  expect(await sentences('identity_provider_expired', 'identity_provider_expiring')).toEqual([
    'The certificates of identity provider ended of silo corp have expired',
    'The certificates of identity provider old of silo corp expire in 9 days',
  ])
  await admin.call('silo_delete', { params: { silo: 'corp' } })
  expect(await sentences('identity_provider_expired', 'identity_provider_expiring')).toEqual([])
})

test('a failed job, for the user who started it', async () => {
  const disk = await detachedDisk(admin, query, 'flour')
  const body = smallInstance('cart', { network_interfaces: { type: 'none' } })
  const { id: instance } = await admin.call('instance_create', { query, body })
  await reaches(admin, instance, 'stopped')
  const job = await plan(admin, 'delete', 'disk', targets(disk.id))
  // The planned step is no longer possible when it runs.
  await admin.call('instance_disk_attach', { params: { instance }, body: { disk: disk.id } })
  await admin.call('job_start', { params: { job: job.id } })
  await told('job_failed', 'Your job to delete disk flour failed for 1 item')
  expect((await issues('job_failed'))[0]!.path).toBe(`/jobs?job=${job.id}`)
  const other = await server.createUser('other-operator', { fleet: 'viewer' })
  const { items } = await other.caller.call('issue_list')
  expect(items.filter(({ kind }) => kind === 'job_failed')).toEqual([])
  await admin.call('job_delete', { params: { job: job.id } })
  expect(await sentences('job_failed')).toEqual([])
})

test('a receiver to which alerts cannot be delivered', async () => {
  const { id, name } = await addReceiver(server, 'pager')
  const add = (state: 'failed' | 'delivered', trigger: 'alert' | 'probe', second: number) =>
    server.db
      .insertInto('alert_delivery')
      .values({
        id: crypto.randomUUID(),
        receiver_id: id,
        alert_id: crypto.randomUUID(),
        name: PSU_REMOVED,
        trigger,
        state,
        time_started: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
        time_next_attempt: null,
        attempts: '[]',
      })
      .execute()
  await add('failed', 'alert', 0)
  await add('delivered', 'alert', 1)
  await add('failed', 'probe', 2)
  expect(await issues('alert_receiver_failing')).toEqual([])
  await add('failed', 'alert', 3)
  await add('failed', 'alert', 4)
  expect(await issues('alert_receiver_failing')).toMatchObject([
    {
      sentence: `2 alerts could not be delivered to receiver ${name}`,
      time_began: '2026-01-01T00:00:03.000Z',
      path: '/system/alert-receivers/pager',
    },
  ])
  await add('delivered', 'probe', 5)
  expect(await issues('alert_receiver_failing')).toEqual([])
})

test('sessions with routers that are down', async () => {
  const { uplinks } = server.host.controlPlane.engines
  const address = '198.51.100.1'
  const { config } = await createBgpConfig(admin)
  stopClocks()
  await addPeer(admin, config)
  await admin.call('networking_bfd_enable', {
    body: {
      switch_slot: 'switch0',
      remote: address,
      detection_threshold: 3,
      required_rx: 300_000,
      mode: 'single_hop',
    },
  })
  const pass = () => vi.advanceTimersByTime(60_000)
  const both = () => sentences('bgp_peer_down', 'bfd_session_down')
  pass()
  expect(await both()).toEqual([])
  await uplinks.takeDown('switch0', address)
  pass()
  expect(await both()).toEqual([
    `The BGP session of switch0 with ${address} is down (active)`,
    `The BFD session of switch0 with ${address} is down`,
  ])
  await uplinks.bringUp('switch0', address)
  pass()
  expect(await both()).toEqual([])
})

test('links that are down, and switches without an uplink', async () => {
  const { uplinks } = server.host.controlPlane.engines
  await clearPorts(admin)
  stopClocks()
  const all = () => sentences('link_down', 'switch_port_without_link', 'switch_without_uplink')
  expect(await all()).toEqual([])
  const make = (more: Parameters<typeof portSettings>[0] = {}) =>
    admin.call('networking_switch_port_settings_create', { body: portSettings(more) })
  const linked = await make()
  const { id, port_name } = await applyTo(admin, linked)
  expect(await all()).toEqual([
    'No port of switch1 is configured, so the rack has at most one uplink path',
  ])
  await applyTo(admin, await make({ links: [] }), 'switch1')
  expect(await all()).toEqual(['switch1/qsfp0 has settings without a link'])
  vi.advanceTimersByTime(60_000)
  await uplinks.takeDown('switch0', port_name)
  expect(await issues('link_down')).toMatchObject([
    {
      sentence: `Link phy0 of switch0/${port_name} is down`,
      severity: 'critical',
      path: `/system/networking/switch-ports/${id}`,
      time_began: new Date().toISOString(),
    },
  ])
  await uplinks.bringUp('switch0', port_name)
  vi.advanceTimersByTime(60_000)
  expect(await issues('link_down')).toEqual([])
})

test('are limited per kind', async () => {
  const silo = await server.db
    .selectFrom('silo')
    .selectAll()
    .where('id', '=', server.siloId)
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: 60 }, (_, index) => ({
    ...silo,
    id: crypto.randomUUID(),
    name: `small-${index}`,
    name_key: `small-${index}`,
    used_cpus: 1,
    quota_cpus: 1,
  }))
  await server.db.insertInto('silo').values(rows).execute()
  const { items, more } = await admin.call('issue_list')
  expect(items.filter(({ kind }) => kind === 'silo_near_quota')).toHaveLength(50)
  expect(more).toBe(true)
  const ids = rows.map(({ id }) => id)
  await server.db.deleteFrom('silo').where('id', 'in', ids).execute()
})

test('are visible to users who may see the fleet', async () => {
  const { caller } = await server.createUser('member', { silo: 'admin' })
  expect(await caller.refusal('issue_list')).toMatchObject({ status: 403 })
})

test('disks with lost replicas, until there is space for them', async () => {
  const { id } = await detachedDisk(admin, query, 'husks')
  const { items } = await admin.call('sled_search', { query: { policy: 'in_service' } })
  const power = (serial: string, on: boolean) =>
    admin.call('simulated_sled_set_power', { params: { serial }, body: { on } })
  for (const { baseboard } of items) await power(baseboard.serial, false)
  const lost = await until(
    () => issues('replicas_lost'),
    (found) => expect(found).toHaveLength(1),
  )
  expect(lost[0]).toMatchObject({
    severity: 'critical',
    path: '/system/inventory/disks',
    sentence: expect.stringMatching(
      /^\d+ disks? of projects (has|have) too few replicas, and no disk in service has room for another$/,
    ),
  })
  // All sleds are back at once, so each replica is again where it was.
  await server.db.updateTable('simulated_sled').set({ down: 0 }).execute()
  await power(items[0]!.baseboard.serial, true)
  await told('replicas_lost')
  await admin.call('disk_delete', { params: { disk: id } })
})
