/** Faults of the engine, failed instances and their automatic restart (control plane 6.5). */
import {
  CD_BLOCK_SIZE,
  INSTANCE_BOOT_TIMEOUT_MS,
  instanceFailures,
  type PauseReason,
} from '@steading/api/rules'
import type { MachineSpec } from '@steading/control-plane/ports'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { resyncInstances } from '../../src/resources/compute/instances/resync.ts'
import { databaseNow } from '../../src/kernel/db/leases.ts'
import type { Caller } from '../support/caller.ts'
import { viewConsole } from '../support/console.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { blankDisk, detachedDisk, reaches, smallInstance, unchanged } from '../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer({ autoRestartCooldownMs: 3_600_000 })
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterAll(() => server.close())

const create = (name: string, values: object = {}) =>
  admin.call('instance_create', { query, body: smallInstance(name, values) })

async function vmOf(id: string): Promise<string> {
  const row = await server.db
    .selectFrom('instance')
    .select('vm_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.vm_id!
}
async function specOf(id: string): Promise<MachineSpec> {
  const { spec } = await server.db
    .selectFrom('simulated_machine')
    .select('spec')
    .where('id', '=', await vmOf(id))
    .executeTakeFirstOrThrow()
  return JSON.parse(spec) as MachineSpec
}
const crash = async (id: string) => server.host.controlPlane.engines.machines.crash(await vmOf(id))

test('restarts a failed machine once, and then not before its cooldown', async () => {
  const { id } = await create('phoenix', { start: true })
  await reaches(admin, id, 'running')
  const first = await vmOf(id)
  await crash(id)
  await expect.poll(() => vmOf(id)).not.toBe(first)
  const restarted = await reaches(admin, id, 'running')
  expect(restarted.time_last_auto_restarted).not.toBeNull()
  expect(
    Date.parse(restarted.auto_restart_cooldown_expiration!) -
      Date.parse(restarted.time_last_auto_restarted!),
  ).toBe(3_600_000)
  const used = await admin.call('utilization_view')
  await crash(id)
  await reaches(admin, id, 'failed')
  const { provisioned } = await admin.call('utilization_view')
  expect(provisioned.cpus).toBe(used.provisioned.cpus - 1)
  // A user may still start it.
  await admin.call('instance_start', { params: { instance: id } })
  await reaches(admin, id, 'running')
})

describe('an instance that is slow to come up', () => {
  const MINUTE_MS = 60_000
  let slow: TestServer
  beforeAll(async () => {
    slow = await startTestServer({ bootMs: 60 * MINUTE_MS })
    await slow.admin.call('project_create', { body: { name: 'work', description: '' } })
  })
  afterAll(() => slow.close())

  const starting = async (name: string): Promise<string> => {
    const body = smallInstance(name, { start: true, auto_restart_policy: 'never' })
    const { id } = await slow.admin.call('instance_create', { query, body })
    await waits(id)
    return id
  }
  const row = (id: string) =>
    slow.db
      .selectFrom('instance')
      .select(['run_state', 'reconcile_at', 'vm_id', 'sled_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  /** Resolves when a step has looked at an instance, and the next look is due later. */
  const waits = async (id: string) => {
    const isLater = async () => (await row(id)).reconcile_at! > new Date().toISOString()
    await expect.poll(isLater).toBe(true)
  }
  /** Makes an instance due, which has been in its state for hours. */
  const beDue = async (id: string) => {
    const past = new Date(Date.now() - 120 * MINUTE_MS).toISOString()
    await slow.db
      .updateTable('instance')
      .set({ time_run_state_updated: past, reconcile_at: past })
      .where('id', '=', id)
      .execute()
    // Another instance wakes the reconciler.
    const bell = smallInstance(`bell-${crypto.randomUUID()}`, { start: true })
    await slow.admin.call('instance_create', { query, body: bell })
  }
  /** The state of an instance after a step that has looked at it, and waits. */
  const stateAfterLook = async (id: string) => {
    await beDue(id)
    await waits(id)
    return (await row(id)).run_state
  }
  /** Its machine has been in its phase for some minutes. */
  const lasts = async (id: string, minutes: number) => {
    await slow.db
      .updateTable('simulated_machine')
      .set({ since: Date.now() - minutes * MINUTE_MS })
      .where('id', '=', (await row(id)).vm_id)
      .execute()
  }

  test('waits for its boot to begin', async () => {
    expect(await stateAfterLook(await starting('queued'))).toBe('starting')
  })

  test('has failed after a limit for its boot, only if its sled responds', async () => {
    const id = await starting('snail')
    await lasts(id, INSTANCE_BOOT_TIMEOUT_MS / MINUTE_MS + 1)
    const sled = async (responding: 0 | 1) =>
      slow.db
        .updateTable('sled')
        .set({ responding })
        .where('id', '=', (await row(id)).sled_id)
        .execute()
    await sled(0)
    expect(await stateAfterLook(id)).toBe('starting')
    await sled(1)
    await beDue(id)
    await reaches(slow.admin, id, 'failed')
    const { failure } = await slow.admin.call('instance_failure', { params: { instance: id } })
    expect(failure?.reason).toBe(instanceFailures.late)
  })

  test('stops if its guest powers itself off meanwhile', async () => {
    const id = await starting('shy')
    await slow.db
      .updateTable('simulated_machine')
      .set({ phase: 'stopping', since: Date.now() })
      .where('id', '=', (await row(id)).vm_id)
      .execute()
    expect(await stateAfterLook(id)).toBe('stopping')
  })

  test('reboots as patiently as its engine', async () => {
    const id = await starting('deaf')
    await lasts(id, 61)
    await beDue(id)
    await reaches(slow.admin, id, 'running')
    await slow.admin.call('instance_reboot', { params: { instance: id } })
    await waits(id)
    await lasts(id, 30)
    expect(await stateAfterLook(id)).toBe('rebooting')
  })
})

test('a machine with the policy `never` stays failed until its policy changes', async () => {
  const { id } = await create('icarus', { start: true, auto_restart_policy: 'never' })
  await reaches(admin, id, 'running')
  await crash(id)
  const failed = await reaches(admin, id, 'failed')
  expect(failed.auto_restart_enabled).toBe(false)
  const body = { ...unchanged(failed), auto_restart_policy: 'best_effort' as const }
  await admin.call('instance_update', { params: { instance: id }, body })
  await reaches(admin, id, 'running')
})

test('a failed instance shows why, and when it is restarted', async () => {
  const failureOf = async (id: string) =>
    (await admin.call('instance_failure', { params: { instance: id } })).failure
  const { id } = await create('candid', { start: true, auto_restart_policy: 'never' })
  await reaches(admin, id, 'running')
  expect(await failureOf(id)).toBeNull()
  await crash(id)
  const failed = await reaches(admin, id, 'failed')
  const reason = 'The sled that it ran on stopped responding'
  const failure = { reason, time_restart: null, restart_problem: null }
  expect(await failureOf(id)).toEqual(failure)
  const { items } = await admin.call('instance_search', {
    query: { project: failed.project_id, search: 'candid' },
  })
  expect(items).toMatchObject([{ name: 'candid', failure }])

  // There is no room for it.
  const sleds = (provision_policy: 'provisionable' | 'non_provisionable') =>
    server.db.updateTable('sled').set({ provision_policy }).execute()
  await sleds('non_provisionable')
  const body = { ...unchanged(failed), auto_restart_policy: 'best_effort' as const }
  const before = Date.now()
  await admin.call('instance_update', { params: { instance: id }, body })
  await expect
    .poll(async () => (await failureOf(id))?.restart_problem)
    .toMatch(/^Insufficient capacity: /)
  const { time_restart } = (await failureOf(id))!
  expect(Date.parse(time_restart!) - before).toBeGreaterThan(20_000)
  await sleds('provisionable')
  await admin.call('instance_start', { params: { instance: id } })
  await reaches(admin, id, 'running')
  // The next failure must not be confused with this one.
  const machine = await vmOf(id)
  await crash(id)
  await expect.poll(() => vmOf(id)).not.toBe(machine)
  await reaches(admin, id, 'running')
  await crash(id)
  const { auto_restart_cooldown_expiration } = await reaches(admin, id, 'failed')
  expect(await failureOf(id)).toEqual({
    reason,
    time_restart: auto_restart_cooldown_expiration,
    restart_problem: null,
  })
})

test('retries an action that the engine refuses for a while', async () => {
  const { faults } = server.host.controlPlane.engines
  let refused = 0
  faults.inject((action) => {
    if ((action === 'createVolume' || action === 'run') && refused++ % 3 < 2) {
      throw new Error(`${action} does not work now`)
    }
  })
  const { id } = await create('stubborn', {
    start: true,
    boot_disk: { type: 'create', ...blankDisk('stubborn-disk') },
  })
  await reaches(admin, id, 'running')
  faults.inject()
  expect(refused).toBeGreaterThan(2)
})

test('reports a step that fails ten times in a row as an issue until it succeeds', async () => {
  const { engines } = server.host.controlPlane
  const { id } = await create('doomed', { start: true })
  await reaches(admin, id, 'running')
  const issues = async () => {
    const { items } = await admin.call('issue_list')
    return items.filter(({ kind }) => kind === 'steps_failing')
  }
  const failures = async () => {
    const row = server.db.selectFrom('instance').select('step_failures').where('id', '=', id)
    return (await row.executeTakeFirstOrThrow()).step_failures
  }
  let others = 0
  /** Makes the row due now; the machine of another one makes the reconciler look for such rows. */
  const step = async (values: object) => {
    const reconcile_at = new Date().toISOString()
    const due = server.db.updateTable('instance').set({ ...values, reconcile_at })
    await due.where('id', '=', id).execute()
    await create(`other-${others++}`, { start: true })
  }
  engines.faults.inject((action) => {
    if (action === 'stop') throw new Error('its specification cannot be read')
  })
  await admin.call('instance_stop', { params: { instance: id } })
  await expect.poll(failures).toBeGreaterThan(0)
  await step({ step_failures: 8 })
  await expect.poll(failures).toBe(9)
  expect(await issues()).toEqual([])
  await step({})
  await expect.poll(failures).toBe(10)
  expect(await issues()).toMatchObject([
    {
      id: `steps_failing:${id}`,
      sentence:
        'Instance doomed of project work in silo main cannot be brought to its desired state: 10 attempts in a row have failed, the last one with “its specification cannot be read”',
      path: '/projects/work/instances/doomed/storage',
      time_began: expect.any(String),
    },
  ])
  engines.faults.inject()
  await step({})
  await expect.poll(failures).toBe(0)
  expect(await issues()).toEqual([])
  await reaches(admin, id, 'stopped')
})

test('stopping a failed instance prevents its restart', async () => {
  const { id } = await create('resting', { start: true, auto_restart_policy: 'never' })
  await reaches(admin, id, 'running')
  await crash(id)
  await reaches(admin, id, 'failed')
  const stopped = await admin.call('instance_stop', { params: { instance: id } })
  expect(stopped.run_state).toBe('stopped')
})

test('notices a machine that fails while it is observed', async () => {
  const { machines } = server.host.controlPlane.engines
  const { observe } = machines
  const { id } = await create('unlucky', { auto_restart_policy: 'never' })
  await reaches(admin, id, 'stopped')
  let failedAfterLook = false
  machines.observe = async (vmId) => {
    const seen = await observe(vmId)
    if (seen.phase === 'running' && !failedAfterLook) {
      failedAfterLook = true
      const alarm = () =>
        server.db
          .selectFrom('instance')
          .select('reconcile_at')
          .where('id', '=', id)
          .executeTakeFirst()
      // The wake-up of the boot may have the same time as that of the crash.
      await server.db
        .updateTable('instance')
        .set({ reconcile_at: null })
        .where('id', '=', id)
        .execute()
      await machines.crash(vmId)
      // The wake-up is stored before the step that looked too early ends.
      await expect.poll(alarm).not.toEqual({ reconcile_at: null })
    }
    return seen
  }
  await admin.call('instance_start', { params: { instance: id } })
  await reaches(admin, id, 'failed')
  expect(failedAfterLook).toBe(true)
  machines.observe = observe
})

test('an instance shows that its guest is paused, and operators see an issue', async () => {
  const { machines } = server.host.controlPlane.engines
  const { observe } = machines
  onTestFinished(() => void (machines.observe = observe))
  const { id } = await create('thirsty', { start: true })
  const thirsty = await reaches(admin, id, 'running')
  const view = () => admin.call('instance_failure', { params: { instance: id } })
  const issues = async () =>
    (await admin.call('issue_list')).items.filter(({ kind }) => kind === 'instance_paused')
  const machine = await vmOf(id)
  /** The hypervisor pauses the guest, or continues it. */
  const pauses = async (pause?: PauseReason) => {
    machines.observe = async (machineId) => ({
      ...(await observe(machineId)),
      ...(pause && machineId === machine ? { pause } : {}),
    })
    await resyncInstances({ database: server.host.controlPlane.database, machines })
    // Wakes the reconciler.
    await admin.call('instance_update', { params: { instance: id }, body: unchanged(thirsty) })
  }
  expect((await view()).pause).toBeNull()

  await pauses('no_space')
  await expect.poll(view).toMatchObject({ failure: null, pause: { reason: 'no_space' } })
  const { time_paused } = (await view()).pause!
  const [issue] = await issues()
  expect(issue).toMatchObject({
    id: `instance_paused:${id}`,
    severity: 'critical',
    time_began: time_paused,
    next: 'See the host',
  })
  expect(issue!.sentence).toMatch(
    /^Instance thirsty of project work in silo main is paused: host \S+ has no room /,
  )

  await pauses()
  await expect.poll(async () => (await view()).pause).toBeNull()
  expect(await issues()).toEqual([])

  await pauses('io_error')
  await expect.poll(view).toMatchObject({ pause: { reason: 'io_error' } })
  machines.observe = observe
  await admin.call('instance_stop', { params: { instance: id } })
  await reaches(admin, id, 'stopped')
  expect((await view()).pause).toBeNull()
})

test('an instance shows the firmware that its machine was started with', async () => {
  const { machines } = server.host.controlPlane.engines
  const { observe } = machines
  onTestFinished(() => void (machines.observe = observe))
  const firmwareOf = async (id: string) =>
    (await admin.call('instance_failure', { params: { instance: id } })).firmware
  const { id: plain } = await create('plain', { start: true })
  await reaches(admin, plain, 'running')
  expect(await firmwareOf(plain)).toBeNull()
  machines.observe = async (machineId) => ({ ...(await observe(machineId)), firmware: 'uefi' })
  const { id } = await create('modern', { start: true })
  await reaches(admin, id, 'running')
  expect(await firmwareOf(id)).toBe('uefi')
  await admin.call('instance_stop', { params: { instance: id } })
  await reaches(admin, id, 'stopped')
  expect(await firmwareOf(id)).toBeNull()
})

test('a read-only disk with the blocks of a CD is a CD of the machine', async () => {
  await detachedDisk(admin, query, 'installer')
  await server.db
    .updateTable('disk')
    .set({ read_only: 1, block_size: CD_BLOCK_SIZE })
    .where('name', '=', 'installer')
    .execute()
  const { id } = await create('installed', {
    start: true,
    boot_disk: { type: 'create', ...blankDisk('installed-boot') },
    disks: [{ type: 'attach', name: 'installer' }],
  })
  await reaches(admin, id, 'running')
  const { volumes } = await specOf(id)
  expect(volumes.map(({ name, cd }) => [name, cd])).toEqual([
    ['installed-boot', undefined],
    ['installer', true],
  ])
})

test('creates a machine from everything its instance has', async () => {
  const { id: key } = await admin.call('current_user_ssh_key_create', {
    body: { name: 'key', description: '', public_key: 'ssh-ed25519 AAAA key' },
  })
  const user_data = btoa('#cloud-config')
  const { id } = await create('equipped', {
    start: true,
    user_data,
    ssh_public_keys: [key],
    boot_disk: { type: 'create', ...blankDisk('equipped-boot') },
    disks: [{ type: 'create', ...blankDisk('equipped-data') }],
    network_interfaces: { type: 'default_dual_stack' },
  })
  await reaches(admin, id, 'running')
  const disk = async (name: string) =>
    (await admin.call('disk_view', { params: { disk: name }, query })).id
  const { items } = await admin.call('instance_network_interface_list', { query: { instance: id } })
  const { value } = items[0]!.ip_stack as { value: { v4: { ip: string }; v6: { ip: string } } }
  expect(await specOf(id)).toEqual({
    name: 'equipped',
    hostname: 'equipped',
    ncpus: 1,
    memory: 2 ** 30,
    sled: { id: expect.any(String), serial: expect.stringMatching(/^BRM-/) },
    volumes: [
      {
        id: await disk('equipped-boot'),
        name: 'equipped-boot',
        size: 2 ** 30,
        slot: 0,
        boot: true,
        readOnly: false,
        source: { path: expect.any(String), format: 'raw' },
      },
      {
        id: await disk('equipped-data'),
        name: 'equipped-data',
        size: 2 ** 30,
        slot: 1,
        boot: false,
        readOnly: false,
        source: { path: expect.any(String), format: 'raw' },
      },
    ],
    interfaces: [
      {
        name: items[0]!.name,
        mac: items[0]!.mac,
        primary: true,
        addresses: [
          { address: value.v4.ip, prefixLength: 22, gateway: '172.30.0.1' },
          {
            address: value.v6.ip,
            prefixLength: 64,
            gateway: expect.stringMatching(/^fd[0-9a-f:]+::1$/),
          },
        ],
      },
    ],
    userData: user_data,
    sshPublicKeys: ['ssh-ed25519 AAAA key'],
  })
})

test('a guest that powers itself off leaves a stopped instance, which can be started again', async () => {
  const { id } = await create('sleepy', { start: true })
  await reaches(admin, id, 'running')
  const { provisioned } = await admin.call('utilization_view')
  const viewer = viewConsole(server.url, admin, id)
  await viewer.opened
  viewer.type('poweroff\r')
  await reaches(admin, id, 'stopped')
  await expect
    .poll(viewer.seen)
    .toMatch(/poweroff\r\n\r\nStopping all services\r\n\r\nPower down\r\n$/)
  const after = await admin.call('utilization_view')
  expect(after.provisioned.cpus).toBe(provisioned.cpus - 1)
  await admin.call('instance_start', { params: { instance: id } })
  const again = await reaches(admin, id, 'running')
  expect(again.time_last_auto_restarted).toBeNull()
})

test('a resync finds a machine whose wake-up was lost', async () => {
  const { machines } = server.host.controlPlane.engines
  const { id } = await create('unnoticed', { start: true, auto_restart_policy: 'never' })
  await reaches(admin, id, 'running')
  await server.db
    .updateTable('simulated_machine')
    .set({ phase: 'failed' })
    .where('id', '=', await vmOf(id))
    .execute()
  await resyncInstances({ database: server.host.controlPlane.database, machines })
  await admin.call('project_create', { body: { name: 'wakes', description: '' } })
  expect((await reaches(admin, id, 'failed')).auto_restart_enabled).toBe(false)
})

test('leaves a row to the step that claimed it, and finds it again when that is gone', async () => {
  const { id } = await create('claimed')
  await reaches(admin, id, 'stopped')
  const { dialect } = server.host.controlPlane.database
  const lease = (ms: number) => sql<number>`${databaseNow(dialect)} + ${sql.lit(ms)}`
  const set = (values: object) =>
    server.db.updateTable('instance').set(values).where('id', '=', id).execute()
  await set({ lease_until: lease(4_000), run_state: 'starting', start_wanted: 1 })
  await set({ reconcile_at: new Date(0).toISOString() })
  server.host.controlPlane.engines.faults.inject()
  await admin.call('project_create', { body: { name: 'other', description: '' } })
  const row = () =>
    server.db.selectFrom('instance').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const before = await row()
  expect(before.reconcile_at).not.toBeNull()
  // The step was cut off: its claimed row is due.
  await set({ lease_until: 0, run_state: 'creating', start_wanted: 0 })
  await reaches(admin, id, 'stopped')
  expect((await row()).fence).toBe(before.fence + 1)
})
