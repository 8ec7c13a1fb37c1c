import type { Updateable } from 'kysely'
import type { VmSpec } from '../../kernel/ports/engine.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { InstanceTable } from '../../kernel/db/schema.ts'
import { ApiError } from '../../kernel/errors.ts'
import { changeInstance } from './change.ts'
import { releaseResources, takeResources } from './resources.ts'
import { autoRestartEnabled, cooldownExpiration, type InstanceRow } from './view.ts'
import type { Step } from '../../kernel/reconciler.ts'

/** How long a VM may take to come up before it counts as failed. */
const START_TIMEOUT_MS = 60_000
const POLL_MS = 1_000
/** A restart that found no room is tried again after this. */
const RESTART_RETRY_MS = 30_000

/** Writes the outcome of a step, unless somebody has changed the row meanwhile. */
async function settle(
  { database, now }: Step,
  row: InstanceRow,
  values: Updateable<InstanceTable>,
  alongside?: (tx: Db) => Promise<void>,
): Promise<void> {
  await database.concurrently(async (tx) => {
    const changed = await changeInstance(tx, row, { reconcile_at: null, ...values }, now)
    if (changed) await alongside?.(tx)
  })
}

/** Nothing changed; look again at a time, or only when something happens. */
async function lookAgain({ database }: Step, row: InstanceRow, at: Date | null): Promise<void> {
  await database.db
    .updateTable('instance')
    .set({ reconcile_at: at?.toISOString() ?? null })
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .execute()
}

const soon = (now: Date, ms = POLL_MS): Date => new Date(now.getTime() + ms)

async function vmSpec({ database: { db } }: Step, row: InstanceRow): Promise<VmSpec> {
  const disks = await db
    .selectFrom('disk')
    .select(['id', 'name', 'size', 'read_only'])
    .where('instance_id', '=', row.id)
    .where('time_deleted', 'is', null)
    .orderBy('slot')
    .execute()
  const interfaces = await db
    .selectFrom('network_interface')
    .select(['name', 'mac', 'ipv4', 'ipv6'])
    .where('instance_id', '=', row.id)
    .orderBy('slot')
    .execute()
  const sled = await db
    .selectFrom('sled')
    .select('serial')
    .where('id', '=', row.sled_id)
    .executeTakeFirst()
  return {
    name: row.name,
    hostname: row.hostname,
    ncpus: row.ncpus,
    memory: row.memory,
    sledSerial: sled?.serial ?? '',
    disks: disks.map(({ id, name, size, read_only }) => ({
      name,
      size,
      readOnly: read_only === 1,
      boot: id === row.boot_disk_id,
    })),
    interfaces: interfaces.map(({ name, mac, ipv4, ipv6 }) => ({
      name,
      mac,
      ips: [ipv4, ipv6].filter((ip) => ip !== null),
    })),
  }
}

/** Takes room and a VM id; an instance that finds no room stays what `otherwise` says. */
async function start(
  step: Step,
  row: InstanceRow,
  values: Updateable<InstanceTable>,
  otherwise: Updateable<InstanceTable>,
): Promise<void> {
  try {
    await step.database.transaction(async (tx) => {
      const placement = await takeResources(tx, row)
      const started = await changeInstance(
        tx,
        row,
        {
          run_state: 'starting',
          start_wanted: 0,
          reboot_count: 0,
          reconcile_at: step.now.toISOString(),
          ...placement,
          ...values,
        },
        step.now,
      )
      // Somebody else was faster; nothing may be taken.
      if (!started) throw new Overtaken()
    })
  } catch (error) {
    if (error instanceof Overtaken) return
    if (!(error instanceof ApiError)) throw error
    await settle(step, row, otherwise)
  }
}

class Overtaken extends Error {}

async function finishCreating(step: Step, row: InstanceRow): Promise<void> {
  const disks = await step.database.db
    .selectFrom('disk')
    .select('id')
    .where('instance_id', '=', row.id)
    .where('state', '=', 'creating')
    .where('time_deleted', 'is', null)
    .execute()
  for (const { id } of disks) await step.first('disk', id)
  const unfinished = await step.database.db
    .selectFrom('disk')
    .select('id')
    .where('instance_id', '=', row.id)
    .where('state', '=', 'creating')
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (unfinished) return lookAgain(step, row, soon(step.now))
  const stopped = { run_state: 'stopped', start_wanted: 0 } as const
  return row.start_wanted === 1 ? start(step, row, {}, stopped) : settle(step, row, stopped)
}

/** The VM is gone or broken: give back what it held and leave the instance failed. */
async function markFailed(step: Step, row: InstanceRow): Promise<void> {
  await step.engine.destroy(row.vm_id!)
  await settle(
    step,
    row,
    {
      run_state: 'failed',
      vm_id: null,
      sled_id: null,
      // Looked at again at once: it may be due for an automatic restart.
      reconcile_at: step.now.toISOString(),
    },
    (tx) => releaseResources(tx, row),
  )
}

async function bringUp(step: Step, row: InstanceRow): Promise<void> {
  const { engine, now } = step
  const vmId = row.vm_id!
  const late = now.getTime() - Date.parse(row.time_run_state_updated) > START_TIMEOUT_MS
  if (row.run_state === 'rebooting') await engine.reboot(vmId, row.reboot_count)
  else await engine.run(vmId, await vmSpec(step, row))
  const { phase, changesAt } = await engine.observe(vmId)
  if (phase === 'running') return settle(step, row, { run_state: 'running' })
  if (phase === 'failed' || late) return markFailed(step, row)
  if (phase === 'absent' && row.run_state === 'rebooting') return markFailed(step, row)
  return lookAgain(step, row, changesAt ?? soon(now))
}

async function watch(step: Step, row: InstanceRow): Promise<void> {
  const { phase } = await step.engine.observe(row.vm_id!)
  return phase === 'running' ? lookAgain(step, row, null) : markFailed(step, row)
}

async function bringDown(step: Step, row: InstanceRow): Promise<void> {
  const { engine, now } = step
  const vmId = row.vm_id!
  await engine.stop(vmId)
  const { phase, changesAt } = await engine.observe(vmId)
  if (phase !== 'stopped' && phase !== 'absent' && phase !== 'failed') {
    return lookAgain(step, row, changesAt ?? soon(now))
  }
  await engine.destroy(vmId)
  return settle(step, row, { run_state: 'stopped', vm_id: null, sled_id: null }, (tx) =>
    releaseResources(tx, row),
  )
}

async function autoRestart(step: Step, row: InstanceRow): Promise<void> {
  if (!autoRestartEnabled(row)) return lookAgain(step, row, null)
  const { now, settings } = step
  const expires = cooldownExpiration(row, settings.autoRestartCooldownMs)
  if (expires && expires > now) return lookAgain(step, row, expires)
  return start(
    step,
    row,
    { time_last_auto_restarted: now.toISOString() },
    { reconcile_at: soon(now, RESTART_RETRY_MS).toISOString() },
  )
}

/** Takes the next step of an instance towards where it should be. */
export async function reconcileInstance(step: Step, row: InstanceRow): Promise<void> {
  switch (row.run_state) {
    case 'creating':
      return finishCreating(step, row)
    case 'starting':
    case 'rebooting':
      return bringUp(step, row)
    case 'running':
    case 'migrating':
    case 'repairing':
      return watch(step, row)
    case 'stopping':
      return bringDown(step, row)
    case 'failed':
      return autoRestart(step, row)
    case 'stopped':
    case 'destroyed':
      return lookAgain(step, row, null)
  }
}
