/** Removal of the rows of deleted things: after a while, and only if nothing refers to them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHousekeeping } from '../../src/housekeeping.ts'
import { findDangling, isLive, references } from '../../src/kernel/db/references.ts'
import { markedTables, tablesAbout } from '../../src/kernel/db/tables.ts'
import { defaultSettings } from '../../src/kernel/settings.ts'
import { purgeDeleted } from '../../src/purge.ts'
import { named } from '../../src/kernel/search/name-key.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { blankDisk, keepNothing, sshKeyBody } from '../support/things.ts'
import { fromNow } from '../support/times.ts'

const web = { query: { project: 'web' } }
const described = (name: string) => ({ name, description: '' })

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await keepNothing(server.admin)
  await server.admin.call('project_create', { body: described('web') })
})
afterAll(() => server.close())

async function settled(): Promise<void> {
  await expect
    .poll(async () => {
      const due = await Promise.all(
        (['disk', 'snapshot', 'instance'] as const).map((table) =>
          server.db
            .selectFrom(table as 'disk')
            .select('id')
            .where((eb) =>
              eb.or([eb('reconcile_at', 'is not', null), eb('lease_until', 'is not', null)]),
            )
            .execute(),
        ),
      )
      return due.flat()
    })
    .toEqual([])
}

async function deletedRows(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of markedTables()) {
    const rows = await server.db
      .selectFrom(table as 'disk')
      .select('id')
      .where('time_deleted', 'is not', null)
      .execute()
    if (rows.length > 0) counts[table] = rows.length
  }
  return counts
}

const purge = async (before = fromNow(60_000)) => {
  await settled()
  await purgeDeleted(server.db, before.toISOString(), () => true)
}

async function createSnapshot(name: string, disk: string) {
  return server.admin.call('snapshot_create', { ...web, body: { ...described(name), disk } })
}

test('removes rows after the retention, and not before', async () => {
  await server.admin.call('disk_create', { ...web, body: blankDisk('gone') })
  await server.admin.call('disk_delete', { params: { disk: 'gone' }, ...web })
  await purge(new Date(Date.now() - 60_000))
  expect(await deletedRows()).toEqual({ disk: 1 })
  await purge()
  expect(await deletedRows()).toEqual({})
})

test('keeps rows as long as live things were made of them', async () => {
  const disk = await server.admin.call('disk_create', { ...web, body: blankDisk('first') })
  const snapshot = await createSnapshot('taken', 'first')
  const image = await server.admin.call('image_create', {
    ...web,
    body: {
      ...described('made'),
      os: 'Plan 9',
      version: '4',
      source: { type: 'snapshot', id: snapshot.id },
    },
  })
  await server.admin.call('disk_delete', { params: { disk: disk.id } })
  await purge()
  // The snapshot names its disk.
  expect(await deletedRows()).toEqual({ disk: 1 })
  await server.admin.call('snapshot_delete', { params: { snapshot: snapshot.id } })
  await purge()
  // The image has the bytes of the snapshot; the snapshot itself no longer needs its disk.
  expect(await deletedRows()).toEqual({ snapshot: 1 })
  expect(await findDangling(server.db)).toEqual([])
  const made = await server.admin.call('disk_create', {
    ...web,
    body: {
      ...described('of-image'),
      size: disk.size,
      disk_backend: { type: 'distributed', disk_source: { type: 'image', image_id: image.id } },
    },
  })
  await server.admin.call('image_delete', { params: { image: image.id } })
  await purge()
  expect(await deletedRows()).toEqual({ image: 1 })
  await server.admin.call('disk_delete', { params: { disk: made.id } })
  await purge()
  await purge()
  expect(await deletedRows()).toEqual({})
})

test('keeps a key as long as an instance was created with it', async () => {
  const body = { ...described('vm'), ncpus: 1, memory: 2 ** 30, hostname: 'vm', start: false }
  await server.admin.call('current_user_ssh_key_create', { body: sshKeyBody('key') })
  await server.admin.call('instance_create', {
    ...web,
    body: { ...body, ssh_public_keys: ['key'] },
  })
  await server.admin.call('current_user_ssh_key_delete', { params: { ssh_key: 'key' } })
  await purge()
  expect(await deletedRows()).toEqual({ ssh_key: 1 })
  await server.admin.call('instance_delete', { params: { instance: 'vm' }, ...web })
  await purge()
  expect(await deletedRows()).toEqual({})
})

test('removes a project with all its contents', async () => {
  const query = { project: 'whole' }
  await server.admin.call('project_create', { body: described('whole') })
  await server.admin.call('disk_create', { query, body: blankDisk('inside') })
  await server.admin.call('disk_delete', { params: { disk: 'inside' }, query })
  const subnet = { params: { subnet: 'default' }, query: { ...query, vpc: 'default' } }
  await server.admin.call('vpc_subnet_delete', subnet)
  await server.admin.call('vpc_delete', { params: { vpc: 'default' }, query })
  await server.admin.call('project_delete', { params: { project: 'whole' } })
  await purge()
  expect(await deletedRows()).toEqual({})
  expect(await findDangling(server.db)).toEqual([])
})

test('removes many rows in batches, by housekeeping', async () => {
  const project = await server.admin.call('project_view', { params: { project: 'web' } })
  const old = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000).toISOString()
  await server.db
    .insertInto('affinity_group')
    .values(
      Array.from({ length: 450 }, (_, index) => ({
        id: crypto.randomUUID(),
        ...named(`g${index}`),
        description: '',
        time_created: old,
        time_modified: old,
        time_deleted: index < 449 ? old : null,
        project_id: project.id,
        kind: 'affinity' as const,
        policy: 'allow' as const,
        failure_domain: 'sled' as const,
      })),
    )
    .execute()
  const { database } = server.host.controlPlane
  const reconciler = { wake: () => {} }
  const housekeeping = createHousekeeping({
    database,
    settings: defaultSettings,
    reconciler,
    clock: () => new Date(),
  } as Parameters<typeof createHousekeeping>[0])
  housekeeping.start()
  await expect.poll(deletedRows).toEqual({})
  await housekeeping.stop()
  const left = await server.db
    .selectFrom('affinity_group')
    .select('name')
    .where(isLive('affinity_group'))
    .execute()
  expect(left).toEqual([{ name: 'g449' }])
})

test('finds a dangling reference', async () => {
  await server.admin.call('disk_create', { ...web, body: blankDisk('lost') })
  expect(await findDangling(server.db)).toEqual([])
  await server.db.updateTable('disk').set({ instance_id: 'nothing' }).execute()
  expect(await findDangling(server.db)).toEqual([
    { table: 'disk', column: 'instance_id', to: 'instance', rows: 1, example: 'nothing' },
  ])
})

test('every column with the id of a row is a reference, and every marked table is purged', async () => {
  /** Columns whose target has several kinds, is not a row, or may be gone. */
  const others = new Set([
    'role_assignment.resource_id',
    'role_assignment.identity_id',
    'event.resource_id',
    'event.silo_id',
    'event.project_id',
    'event.user_id',
    'job.project_id',
    // Of a job, or of a run of a schedule, which deletes its items itself.
    'job_item.job_id',
    'job_item.thing_id',
    'job_item.made_id',
    'instance.vm_id',
    'instance.last_vm_id',
    'probe.interface_id',
    'import_writer.disk_id',
    // A maintenance has no row once it has ended.
    'instance_move.maintenance_id',
    'event.author_id',
    'event.author_silo_id',
    // The audit log outlives its things.
    ...[
      'actor_id',
      'actor_silo_id',
      'credential_id',
      'job_id',
      'operation_id',
      'project_id',
      'request_id',
      'silo_id',
      'target_id',
    ].map((column) => `audit_log.${column}`),
    'audit_log_thing.entry_id',
    'audit_log_thing.thing_id',
    'use_history.thing_id',
    'load.target_id',
    'provisioned.target_id',
    'silo_user.external_id',
    'saml_identity_provider.idp_entity_id',
    'saml_identity_provider.sp_client_id',
    'oidc_identity_provider.client_id',
    'passkey.credential_id',
    'access_token.client_id',
    'device_auth_request.client_id',
    'reserved_address.holder_id',
    // The sled gets its row when the membership change is committed.
    'rack_member.sled_id',
    // There is one fleet.
    'ip_pool.fleet_id',
    'subnet_pool.fleet_id',
    'alert.fleet_id',
    'alert_receiver.fleet_id',
    'support_bundle.fleet_id',
    'host.fleet_id',
    'storage_pool.fleet_id',
    // Engines keep the rows of volumes themselves.
    'support_bundle.volume_id',
    // Engines keep machines as well.
    'volume.machine_id',
    // A migration has no row.
    'instance.migration_id',
    // Probes have no alert. Alerts are kept as long as their deliveries.
    'alert_delivery.alert_id',
    // A firing outlives its instance or disk.
    'alert_rule_firing.instance_id',
    'alert_rule_firing.disk_id',
    // A download outlives its user, its disk and its image, and goes with its project.
    ...['author_id', 'disk_id', 'image_id', 'silo_id', 'snapshot_id'].map(
      (column) => `image_download.${column}`,
    ),
    // Runs are a history: they outlive their user, and the resources of their items.
    'schedule.last_run_id',
    'schedule_run.user_id',
    'schedule_snapshot.disk_id',
    // Records of use outlive their resources, and the names of purged silos are kept with them.
    ...['thing_id', 'silo_id', 'project_id'].map((column) => `usage_record.${column}`),
    'usage_place.silo_id',
    // The deleted resources of a project end a moment after it.
    'deleted_resource.silo_id',
    // A clone outlives its source, and its disks are looked up.
    ...['source_id', 'source_project_id'].map((column) => `instance_clone.${column}`),
    ...['disk_id', 'snapshot_id'].map((column) => `instance_clone_disk.${column}`),
    // They end with their resource, of any kind.
    ...tablesAbout().map(({ table, column }) => `${table}.${column}`),
    ...['parent_id', 'silo_id', 'project_id'].map((column) => `tag.${column}`),
    // Actions for later notice the end of their token.
    ...['job', 'schedule', 'schedule_run', 'image_download'].map((table) => `${table}.token_id`),
    // An identity provider of either kind, also one that was deleted.
    'user_identity.provider_id',
    // An author may be gone.
    'note_version.author_id',
    'note_version.author_silo_id',
    // Versions stay until the row of their resource is removed (`purgeSettingVersions`).
    'setting_version.thing_id',
    'setting_version_item.thing_id',
    'setting_version.author_id',
    'setting_version.author_silo_id',
    'setting_version.operation_id',
    'setting_version.request_id',
    'setting_version.job_id',
    // These have foreign keys.
    'free_address.space_id',
    'free_block.space_id',
    'free_snat.ip_pool_id',
  ])
  const tables = await server.db.introspection.getTables()
  const named = tables
    // Tables of the simulated engine, whose contents outlive the rows as in a real one.
    .filter(({ name }) => !name.startsWith('simulated_'))
    .flatMap(({ name, columns }) =>
      columns
        // There is one fleet.
        .filter(({ name: column }) => column.endsWith('_id') && column !== 'fleet_id')
        .map((column) => `${name}.${column.name}`),
    )
  expect(named.filter((column) => !others.has(column)).sort()).toEqual(
    references()
      // A row may have the id of its resource as its own.
      .filter(({ column }) => column !== 'id')
      .map(({ table, column }) => `${table}.${column}`)
      .sort(),
  )
  const marked = tables.filter(({ columns }) => columns.some(({ name }) => name === 'time_deleted'))
  // The reconciler removes jobs, with their items.
  expect(marked.map(({ name }) => name).sort()).toEqual(markedTables().sort())
})
