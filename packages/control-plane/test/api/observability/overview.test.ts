/** Overviews of a project, a silo and the fleet: their contents, and who may read which part. */
import type { OperationId, Wire } from '@steading/api'
import {
  ATTENTION_SHOWN,
  CHART_POINTS,
  GiB,
  TIMELINE_HOURS,
  TIMELINE_SHOWN,
} from '@steading/api/rules'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeCertificate } from '../../../../api/test/support/certificates.ts'
import type { CallArgs, Caller } from '../../support/caller.ts'
import { stopClocks } from '../../support/clock.ts'
import {
  ADMIN_PASSWORD,
  startTestServer,
  type TestServer,
  type User,
} from '../../support/harness.ts'
import { instanceRow } from '../../support/many.ts'
import { addSubnetPool } from '../../support/networks.ts'
import {
  blankDisk,
  detachedDisk,
  reaches,
  smallInstance,
  stoppedInstance,
} from '../../support/things.ts'
import { makeWorld, worldShape } from '../../support/worlds.ts'

let server: TestServer
let admin: Caller
let shop: Wire.Project
let viewer: User
let limited: User
let siloViewer: User
let operator: User
let outsider: User
let rival: User
const query = { project: 'shop' }

const project = (caller: Caller = admin, name = 'shop') =>
  caller.call('project_overview', { query: { project: name } })
const silo = (caller: Caller = admin) => caller.call('silo_overview')
const fleet = (caller: Caller = admin) => caller.call('fleet_overview')

const body = (name: string) => ({ name, description: '' })

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  shop = await admin.call('project_create', { body: body('shop') })
  viewer = await server.createUser('viewer', { projects: { [shop.id]: 'viewer' } })
  limited = await server.createUser('limited', {
    projects: { [shop.id]: 'limited_collaborator' },
  })
  siloViewer = await server.createUser('silo-viewer', { silo: 'viewer' })
  operator = await server.createUser('operator', { fleet: 'viewer' })
  outsider = await server.createUser('outsider')
  await addSubnetPool(server.db, 'out', ['198.51.100.0/24'], {
    siloId: server.siloId,
    isDefault: true,
  })
  const other = await server.createSilo('rival-silo')
  rival = await server.createUser('rival-admin', { silo: 'admin' }, other)
  await rival.caller.call('project_create', { body: body('rival-project') })
})
afterAll(() => server.close())
afterEach(() => void vi.useRealTimers())

/** Sections that are there. */
const sectionsOf = (overview: Wire.Overview): string[] =>
  Object.entries(overview).flatMap(([name, section]) => (section === null ? [] : [name]))
const allSections = ['briefing', 'attention', 'inventory', 'capacity', 'charts', 'timeline']

describe('who may read what', () => {
  test('members of a project read all of its overview', async () => {
    for (const { caller } of [viewer, limited, siloViewer]) {
      expect(sectionsOf(await project(caller))).toEqual(allSections)
    }
  })

  test('others do not learn that the project exists', async () => {
    for (const { caller } of [operator, outsider, rival]) {
      const refused = await caller.refusal('project_overview', { query })
      expect(refused.status).toBe(404)
    }
  })

  test('users of a silo read what their projects permit', async () => {
    expect(sectionsOf(await silo(siloViewer.caller))).toEqual(allSections)
    const ofMember = await silo(viewer.caller)
    expect(sectionsOf(ofMember)).toEqual(allSections)
    expect(ofMember.inventory!.silo!.projects).toBe(1)
    const ofOutsider = await silo(outsider.caller)
    expect(sectionsOf(ofOutsider)).toEqual([
      'briefing',
      'attention',
      'inventory',
      'capacity',
      'charts',
    ])
    expect(ofOutsider.inventory!.project).toBeNull()
    expect(ofOutsider.inventory!.silo!.projects).toBe(0)
    expect(ofOutsider.charts!.map(({ name }) => name)).toEqual([
      'cpus_provisioned',
      'memory_provisioned',
      'storage_provisioned',
    ])
  })

  test('only users with a role on the fleet read its overview', async () => {
    expect(sectionsOf(await fleet(operator.caller))).toEqual(allSections)
    for (const { caller } of [viewer, siloViewer, outsider, rival]) {
      expect((await caller.refusal('fleet_overview')).status).toBe(403)
    }
  })

  test('a role that is taken away takes the overview with it', async () => {
    const projects = { [shop.id]: 'collaborator' } as const
    const { id, caller } = await server.createUser('leaver', { projects })
    await caller.call('floating_ip_create', { query, body: body('left-behind') })
    const seen = (await silo(caller)).timeline!.changes.map(({ target }) => target!.name)
    expect(seen).toContain('left-behind')
    const policy = await admin.call('project_policy_view', { params: { project: 'shop' } })
    const role_assignments = policy.role_assignments.filter(({ identity_id }) => identity_id !== id)
    await admin.call('project_policy_update', {
      params: { project: 'shop' },
      body: { role_assignments },
    })
    expect((await caller.refusal('project_overview', { query })).status).toBe(404)
    expect((await silo(caller)).timeline).toBeNull()
  })
})

describe('attention', () => {
  test('failed instances of the project, the newest first', async () => {
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    const failed = [30, 10, 20].map((minutes) =>
      instanceRow(shop.id, `failed-${minutes}`, {
        run_state: 'failed',
        failure: 'no power',
        time_run_state_updated: minutesAgo(minutes),
      }),
    )
    const stuck = instanceRow(shop.id, 'stuck', {
      run_state: 'stopping',
      time_run_state_updated: minutesAgo(60),
    })
    await server.db
      .insertInto('instance')
      .values([...failed, stuck])
      .execute()
    const { items, critical, warning, more } = (await project(viewer.caller)).attention!
    expect(items.map(({ sentence }) => sentence)).toEqual([
      'Instance failed-10 has failed: no power',
      'Instance failed-20 has failed: no power',
      'Instance failed-30 has failed: no power',
      'Instance stuck is stuck in state stopping',
    ])
    expect([critical, warning, more]).toEqual([3, 1, false])
    expect(items[0]).toMatchObject({
      class: 'instance',
      kind: 'instance_failed',
      severity: 'critical',
      time_began: failed[1]!.time_run_state_updated,
      path: '/projects/shop/instances/failed-10/storage',
      resource: {
        kind: 'instance',
        id: failed[1]!.id,
        name: 'failed-10',
        project: 'shop',
        silo: 'main',
      },
    })
    const ofSilo = (await silo(viewer.caller)).attention!
    expect(ofSilo.items[0]!.sentence).toBe(
      'Instance failed-10 of project shop has failed: no power',
    )
    const ofFleet = (await fleet(operator.caller)).attention!
    const sentences = ofFleet.items.map(({ sentence }) => sentence)
    expect(sentences).toContain(
      'Instance failed-10 of project shop in silo main has failed: no power',
    )
    expect((await silo(outsider.caller)).attention!.items).toEqual([])
    expect((await silo(rival.caller)).attention!.items).toEqual([])
    await server.db
      .deleteFrom('instance')
      .where(
        'id',
        'in',
        [...failed, stuck].map(({ id }) => id),
      )
      .execute()
    expect((await project()).attention!.items).toEqual([])
  })

  test('at most twenty, and how many there are', async () => {
    const many = await admin.call('project_create', { body: body('many') })
    const rows = Array.from({ length: 60 }, (_, index) =>
      instanceRow(many.id, `down-${index}`, { run_state: 'failed' }),
    )
    await server.db.insertInto('instance').values(rows).execute()
    const { items, critical, more } = (await project(admin, 'many')).attention!
    expect(items).toHaveLength(ATTENTION_SHOWN)
    expect([critical, more]).toEqual([50, true])
    await server.db.deleteFrom('instance').where('project_id', '=', many.id).execute()
  })

  test('firing rules, worst first', async () => {
    const rule = async (name: string, severity: Wire.AlertSeverity) => {
      const { id } = await admin.call('alert_rule_create', {
        query,
        body: {
          ...body(name),
          query: 'get virtual_disk:bytes_read',
          comparison: 'above',
          threshold: 5,
          duration: 60,
          severity,
        },
      })
      await server.db
        .updateTable('alert_rule')
        .set({ firing: 2, state: 'firing' })
        .where('id', '=', id)
        .execute()
      return id
    }
    const ids = [await rule('slow', 'warning'), await rule('broken', 'critical')]
    const { items, critical, warning } = (await project(viewer.caller)).attention!
    expect(items).toMatchObject([
      { class: 'alert_rule', severity: 'critical', resource: { kind: 'alert_rule', id: ids[1] } },
      { class: 'alert_rule', severity: 'warning', resource: { kind: 'alert_rule', id: ids[0] } },
    ])
    expect(items[0]!.sentence).toMatch(/^Alert rule broken is firing for 2 series: /)
    expect([critical, warning]).toEqual([1, 1])
    for (const alert_rule of ids) await admin.call('alert_rule_delete', { params: { alert_rule } })
    expect((await project()).attention!.items).toEqual([])
  })

  test('a quota that is nearly used up, whoever uses it', async () => {
    const { quota_cpus } = await server.db
      .selectFrom('silo')
      .select('quota_cpus')
      .where('id', '=', server.siloId)
      .executeTakeFirstOrThrow()
    const use = (used_cpus: number) =>
      server.db.updateTable('silo').set({ used_cpus }).where('id', '=', server.siloId).execute()
    await use(quota_cpus)
    for (const overview of [await project(viewer.caller), await silo(outsider.caller)]) {
      expect(overview.attention!.items).toMatchObject([
        {
          class: 'quota',
          sentence: 'Silo main uses all of its CPUs',
          path: '/utilization',
          next: null,
        },
      ])
    }
    await use(0)
    expect((await silo()).attention!.items).toEqual([])
  })

  test('certificates, for those who may read them', async () => {
    const { cert, key } = await makeCertificate({ names: ['main.sys.cloud.example'], days: 10 })
    await admin.call('certificate_create', {
      body: { ...body('autumn'), service: 'external_api', cert, key },
    })
    const items = async (caller: Caller) => (await silo(caller)).attention!.items
    expect(await items(admin)).toMatchObject([
      { class: 'certificate', sentence: 'Certificate autumn expires in 9 days' },
    ])
    expect(await items(siloViewer.caller)).toEqual([])
    await admin.call('certificate_delete', { params: { certificate: 'autumn' } })
  })
})

describe('inventory', () => {
  /** The number of rows in a list. */
  const total = async <Op extends OperationId>(
    operation: Op,
    asked: NonNullable<CallArgs<Op>['query']>,
  ): Promise<number> => {
    const answer = (await admin.call(operation, {
      query: { ...asked, limit: 1 },
    } as unknown as CallArgs<Op>)) as { total: number }
    return answer.total
  }

  test('of random projects is that of their lists', async () => {
    const shapes = fc.sample(worldShape, 3)
    const names: string[] = []
    for (const shape of shapes) {
      const pieces = await makeWorld(server, shape)
      names.push(pieces.find(({ kind }) => kind === 'project')!.name)
    }
    // Other tests have theirs, and what was deleted does not count.
    names.push('shop', 'many')
    await detachedDisk(admin, query, 'gone')
    await admin.call('disk_delete', { params: { disk: 'gone' }, query })
    const { id } = await stoppedInstance(admin, query, 'gone')
    await admin.call('instance_delete', { params: { instance: id } })
    const sums: Record<string, number> = {}
    const add = (name: string, count: number) => void (sums[name] = (sums[name] ?? 0) + count)
    for (const name of names) {
      const asked = { project: name }
      const { inventory } = await project(admin, name)
      const {
        instances,
        disks,
        disk_bytes: bytes,
        external_ips: externalIps,
        ...counts
      } = inventory!.project!
      for (const { state, count } of instances) {
        expect([state, count]).toEqual([state, await total('instance_search', { ...asked, state })])
        add(state, count)
      }
      for (const { state, count } of disks) {
        expect([state, count]).toEqual([state, await total('disk_search', { ...asked, state })])
        add(`disk ${state}`, count)
      }
      const all = await admin.call('disk_list', { query: { ...asked, limit: 1000 } })
      expect(bytes).toBe(all.items.reduce((sum, { size }) => sum + size, 0))
      expect(counts).toEqual({
        snapshots: await total('snapshot_search', asked),
        images: await total('image_search', asked),
        floating_ips: await total('floating_ip_search', asked),
        vpcs: await total('vpc_search', asked),
      })
      expect(externalIps).toBeGreaterThanOrEqual(counts.floating_ips)
      add('bytes', bytes)
    }
    const { inventory } = await silo()
    const ofSilo = inventory!.project!
    for (const { state, count } of ofSilo.instances) expect(count).toBe(sums[state])
    for (const { state, count } of ofSilo.disks) expect(count).toBe(sums[`disk ${state}`])
    expect(ofSilo.disk_bytes).toBe(sums.bytes)
    expect(inventory!.silo).toEqual({
      projects: await total('project_search', {}),
      users: (await admin.call('user_list', { query: { limit: 1000 } })).items.length,
      groups: (await admin.call('group_list', { query: { limit: 1000 } })).items.length,
    })
  })

  test('of the fleet', async () => {
    const { silos, racks, sleds, physical_disks, ip_pools } = (await fleet(operator.caller))
      .inventory!.fleet!
    expect([silos, racks]).toEqual([await total('silo_search', {}), 1])
    const sum = (counts: { count: number }[]) => counts.reduce((all, { count }) => all + count, 0)
    expect(sum(sleds)).toBe(await total('sled_search', {}))
    expect(sum(physical_disks)).toBe(await total('physical_disk_search', {}))
    const first = sleds.find(({ condition }) => condition === 'in_service')!.count
    const { items } = await admin.call('sled_list')
    await admin.call('sled_set_provision_policy', {
      params: { sled_id: items[0]!.id },
      body: { state: 'non_provisionable' },
    })
    const changed = (await fleet()).inventory!.fleet!.sleds
    expect(changed).toContainEqual({ condition: 'in_service', count: first - 1 })
    expect(changed).toContainEqual({ condition: 'not_provisionable', count: 1 })
    const use = await admin.call('system_ip_pool_utilization_view', {
      params: { pool: 'default' },
    })
    const pool = ip_pools.find(({ name }) => name === 'default')!
    expect(pool.capacity).toBe(use.capacity)
    expect(pool.used).toBe(use.capacity - use.remaining)
  })
})

test('capacity is compared with the quota of the silo, and with the rack', async () => {
  await admin.call('project_create', { body: body('small') })
  await admin.call('disk_create', { query: { project: 'small' }, body: blankDisk('one') })
  const { provisioned, capacity } = await admin.call('utilization_view')
  const { storage } = (await project(admin, 'small')).capacity!
  expect(storage).toEqual({
    provisioned: GiB,
    limit: capacity.storage,
    used: provisioned.storage,
  })
  const ofSilo = (await silo()).capacity!
  expect(ofSilo.cpus.provisioned).toBe(provisioned.cpus)
  expect(ofSilo.storage.provisioned).toBe(provisioned.storage)
  const { cpus, memory } = (await fleet()).capacity!
  const { items } = await admin.call('sled_list')
  expect(cpus.limit).toBe(items.reduce((sum, sled) => sum + sled.usable_hardware_threads, 0))
  expect(memory.limit).toBe(items.reduce((sum, sled) => sum + sled.usable_physical_ram, 0))
  await admin.call('disk_delete', { params: { disk: 'one' }, query: { project: 'small' } })
})

describe('charts', () => {
  const chart = ({ charts }: Wire.Overview, name: Wire.OverviewChartName) =>
    charts!.find((one) => one.name === name)

  test('are measured from minute to minute', async () => {
    await admin.call('project_create', { body: body('lab') })
    const { id } = await admin.call('instance_create', {
      query: { project: 'lab' },
      body: smallInstance('box', {
        start: true,
        ncpus: 2,
        disks: [{ type: 'create', ...blankDisk('data') }],
      }),
    })
    await reaches(admin, id, 'running')
    stopClocks()
    for (let round = 0; round < 40; round++) {
      vi.advanceTimersByTime(5_000)
      await server.host.controlPlane.collect()
    }
    const overview = await project(admin, 'lab')
    expect(overview.charts!.map(({ name }) => name)).toEqual([
      'cpus_used',
      'disk_traffic',
      'network_traffic',
      'memory_provisioned',
    ])
    const used = chart(overview, 'cpus_used')!
    expect(used.values).toHaveLength(CHART_POINTS)
    const present = used.values.filter((value) => value !== null)
    expect(present.length).toBeGreaterThan(0)
    for (const value of present) {
      expect(value).toBeGreaterThan(0)
      expect(value).toBeLessThanOrEqual(2)
    }
    expect(chart(overview, 'memory_provisioned')!.values.at(-1)).toBe(GiB)
    // Instances of other tests may run as well.
    expect(chart(await silo(), 'cpus_used')!.values.at(-1)).toBeGreaterThanOrEqual(
      used.values.at(-1)!,
    )
    expect(chart(await silo(viewer.caller), 'cpus_used')).toBeUndefined()
    const ofFleet = await fleet()
    expect(ofFleet.charts!.map(({ name }) => name)).toEqual([
      'cpus_used',
      'cpus_provisioned',
      'power',
      'requests',
    ])
    const { provisioned } = await admin.call('utilization_view')
    expect(chart(ofFleet, 'cpus_provisioned')!.values.at(-1)).toBe(provisioned.cpus)
    expect(chart(ofFleet, 'power')!.values.at(-1)).toBeGreaterThan(0)
    vi.useRealTimers()
    await admin.call('instance_stop', { params: { instance: id } })
    await reaches(admin, id, 'stopped')
  })

  test('have a value for each minute, and none where nothing was measured', async () => {
    const quiet = await admin.call('project_create', { body: body('quiet') })
    expect(chart(await project(admin, 'quiet'), 'cpus_used')).toBeUndefined()
    const minute = 60_000
    const begun = Math.floor(Date.now() / minute) * minute - 5 * minute
    await server.db
      .insertInto('load')
      .values({
        target_id: quiet.id,
        time: new Date(begun).toISOString(),
        cpus: 3,
        disk_bytes: 0,
        network_bytes: null,
        power: null,
        requests: null,
        cpus_provisioned: null,
      })
      .execute()
    const overview = await project(admin, 'quiet')
    const { time_first, step, values } = chart(overview, 'cpus_used')!
    const end = Date.parse(time_first) + 1000 * step * values.indexOf(3)
    expect(end).toBe(begun + minute)
    expect(values.filter((value) => value !== null)).toEqual([3])
    expect(chart(overview, 'network_traffic')).toBeUndefined()
  })

  test('of the provisioned capacity follow its changes', async () => {
    const grown = await admin.call('project_create', { body: body('grown') })
    const now = Date.now()
    const point = (minutes: number, memory: number) => ({
      kind: 'project' as const,
      target_id: grown.id,
      time: new Date(now - minutes * 60_000).toISOString(),
      cpus: 0,
      memory,
      storage: 0,
    })
    await server.db
      .insertInto('provisioned')
      .values([point(500, 1), point(30, 2), point(10, 3)])
      .execute()
    // A chart alone would be joined by others once the first minute has been measured.
    expect((await project(admin, 'grown')).charts).toEqual([])
    await server.db
      .insertInto('load')
      .values({
        target_id: grown.id,
        time: new Date(now - (now % 60_000) - 5 * 60_000).toISOString(),
        cpus: 1,
        disk_bytes: 0,
        network_bytes: 0,
        power: null,
        requests: null,
        cpus_provisioned: null,
      })
      .execute()
    const { values } = chart(await project(admin, 'grown'), 'memory_provisioned')!
    expect([...new Set(values)]).toEqual([1, 2, 3])
    expect(values.filter((value) => value === 2)).toHaveLength(20)
  })
})

describe('timeline', () => {
  const targets = ({ timeline }: Wire.Overview) =>
    timeline!.changes.map(({ target }) => target?.name)

  test('the newest changes, with who and what', async () => {
    await limited.caller.call('disk_create', { query, body: blankDisk('fresh') })
    await viewer.caller.refusal('disk_create', { query, body: blankDisk('refused') })
    const { timeline } = await project(viewer.caller)
    expect(timeline!.changes.slice(0, 2)).toMatchObject([
      { operation_id: 'disk_create', user: { id: viewer.id }, result: { kind: 'error' } },
      {
        operation_id: 'disk_create',
        sentence: 'created disk fresh',
        user: { id: limited.id, display_name: 'limited' },
        target: { kind: 'disk', name: 'fresh', project_id: shop.id },
        result: { kind: 'success' },
      },
    ])
    expect(timeline!.changes.length).toBeLessThanOrEqual(TIMELINE_SHOWN)
    const { hours } = timeline!
    expect(hours).toHaveLength(TIMELINE_HOURS)
    const before = hours.at(-1)!
    await limited.caller.call('disk_delete', { params: { disk: 'fresh' }, query })
    await viewer.caller.refusal('disk_delete', { params: { disk: 'fresh' }, query })
    const after = (await project(viewer.caller)).timeline!.hours.at(-1)!
    // An hour may end in between.
    if (after.time_begun === before.time_begun) {
      expect(after.succeeded).toBe(before.succeeded + 1)
      expect(after.failed).toBe(before.failed + 1)
    }
  })

  test('changes of the last day by hour', async () => {
    const old = await admin.call('project_create', { body: body('old') })
    const stopped = Date.parse('2030-01-02T12:30:00Z')
    const entry = await server.db
      .selectFrom('audit_log')
      .selectAll()
      .where('target_id', '=', old.id)
      .executeTakeFirstOrThrow()
    const ago = (hours: number, values: Partial<typeof entry> = {}) => {
      const time = new Date(stopped - hours * 3_600_000).toISOString()
      return {
        ...entry,
        ...values,
        id: crypto.randomUUID(),
        time_started: time,
        time_completed: time,
      }
    }
    await server.db
      .insertInto('audit_log')
      .values([
        ago(25),
        ago(24),
        ago(23),
        ago(5),
        ago(5, { result: 'error' }),
        ago(0.25),
        ago(0.25),
      ])
      .execute()
    vi.useFakeTimers({ toFake: ['Date'], now: stopped })
    // Earlier sessions have ended by then.
    const lately = await server.signInAs(siloViewer.id)
    const { hours, changes } = (await project(lately, 'old')).timeline!
    expect(hours[0]!.time_begun).toBe('2030-01-01T13:00:00.000Z')
    const counts = hours.flatMap(({ succeeded, failed }, index) =>
      succeeded + failed > 0 ? [[index, succeeded, failed]] : [],
    )
    expect(counts).toEqual([
      [0, 1, 0],
      [18, 1, 1],
      [23, 2, 0],
    ])
    expect(changes.reduce((sum, { count }) => sum + count, 0)).toBe(5)
    const times = changes.map(({ time_completed }) => time_completed)
    expect(times).toEqual(times.toSorted().toReversed())
    // Past hours are remembered, and the present one is not.
    await server.db
      .insertInto('audit_log')
      .values([ago(0.1)])
      .execute()
    expect((await project(lately, 'old')).timeline!.hours.at(-1)!.succeeded).toBe(3)
  })

  test('members of projects see their changes only, and admins the log of the silo', async () => {
    await admin.call('project_create', { body: body('secret') })
    // Not told as one with the projects that were made before.
    await admin.call('project_update', { params: { project: 'secret' }, body: body('secret') })
    expect(targets(await silo(viewer.caller))).not.toContain('secret')
    expect(targets(await silo(siloViewer.caller))).toContain('secret')
    await admin.call('current_user_ssh_key_create', {
      body: { ...body('key-of-admin'), public_key: 'ssh-ed25519 A' },
    })
    expect(targets(await silo())).toContain('key-of-admin')
    expect(targets(await silo(siloViewer.caller))).not.toContain('key-of-admin')
    expect(targets(await fleet(operator.caller))).toContain('key-of-admin')
  })

  test('attempts to sign in are no changes', async () => {
    const signedIn = await server.anonymous.send('POST', '/v1/login/main/local', {
      body: { username: 'admin', password: ADMIN_PASSWORD },
    })
    expect(signedIn.status).toBe(204)
    const { items } = await admin.call('audit_entry_list', {
      query: { operation: 'login_local', limit: 1 },
    })
    expect(items).toHaveLength(1)
    for (const { timeline } of [await silo(), await fleet()]) {
      const operations = timeline!.changes.map(({ operation_id }) => operation_id)
      expect(operations).not.toContain('login_local')
    }
  })

  test('never shows another silo', async () => {
    await rival.caller.call('project_create', { body: body('rival-secret') })
    const overviews = [await project(), await silo(), await silo(siloViewer.caller)]
    for (const overview of overviews) expect(JSON.stringify(overview)).not.toMatch(/rival/)
    const own = JSON.stringify(await silo(rival.caller))
    expect(own).toContain('rival-secret')
    expect(own).not.toMatch(/shop|failed-/)
  })
})

test('an empty project has nothing, and nothing is an error', async () => {
  const blank = await admin.call('project_create', { body: body('blank') })
  const { attention, inventory, capacity, charts } = await project(admin, blank.name)
  expect(attention).toEqual({ items: [], critical: 0, warning: 0, more: false })
  const { instances, disks, ...counts } = inventory!.project!
  expect(instances.every(({ count }) => count === 0)).toBe(true)
  expect(disks.every(({ count }) => count === 0)).toBe(true)
  expect(counts).toEqual({
    disk_bytes: 0,
    snapshots: 0,
    images: 0,
    floating_ips: 0,
    external_ips: 0,
    vpcs: 1,
  })
  expect(capacity!.cpus.provisioned).toBe(0)
  // Without any measurement, a single chart would stand there.
  expect(charts).toEqual([])
})
