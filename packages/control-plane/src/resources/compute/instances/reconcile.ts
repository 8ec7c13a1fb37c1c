import { INSTANCE_BOOT_TIMEOUT_MS, instanceFailures } from '@steading/api/rules'
import type { Updateable } from 'kysely'
import type {
  MachineObservation,
  MachinePhase,
  Machines,
  MachineSpec,
} from '../../../kernel/ports/machines.ts'
import type { Volumes } from '../../../kernel/ports/volumes.ts'
import type { VpcNetworks } from '../../../kernel/ports/vpc-networks.ts'
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'
import type { InstanceTable } from './table.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { endInstanceStep } from './change.ts'
import { releaseDestination, releaseOrigin, releaseResources, takeResources } from './resources.ts'
import { autoRestartEnabled, cooldownExpiration, type InstanceRow } from './wire.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import type { Settings } from '../../../kernel/settings.ts'
import { unknownState } from '../../../kernel/exhaustive.ts'
import { changeRow, findRow } from '../../../kernel/db/rows.ts'
import { setRunningUpdateAlarm } from '../../hardware/hardware/update-alarm.ts'
import { noteProgress } from '../moves/progress.ts'
import { recordLoss, recordReturn } from '../../hardware/host-fencing/events.ts'
import { recordSledDown } from '../../hardware/hardware/sled-down.ts'
import { machineSpec, volumesOf } from './machine-spec.ts'
import { resyncInstances } from './resync.ts'

const POLL_MS = 1_000
/** Delay before a restart that found no room is tried again. Milliseconds. */
const RESTART_RETRY_MS = 30_000

/** The dependencies of the reconciliation of instances. */
export interface InstanceParts {
  database: OpenDatabase
  settings: Settings
  machines: Machines
  volumes: Volumes
  vpcNetworks?: VpcNetworks
}
type InstanceStep = Step<'instance'> & InstanceParts

interface Settlement {
  at?: Date | null
  /** Why a move that ends has failed. */
  moveFailure?: string
  alongside?: (tx: Db) => Promise<void>
}

/** Writes the outcome of a step, unless the row was changed meanwhile. */
async function settle(
  step: InstanceStep,
  row: InstanceRow,
  values: Updateable<InstanceTable>,
  { at = null, moveFailure, alongside }: Settlement = {},
): Promise<void> {
  await step.database.concurrently(async (tx) => {
    if (await endInstanceStep(tx, step, row, values, at, moveFailure)) await alongside?.(tx)
  })
}

/**
 * Ends a step without a change; the row is due again at the given time, or with null after a
 * wake-up.
 */
const requeue = (step: InstanceStep, at: Date | null): Promise<void> =>
  step.end(step.database.db, at)

const soon = (now: Date, ms = POLL_MS): Date => new Date(now.getTime() + ms)

/** Reserves resources and assigns the id of a machine; calls a function if there is no room. */
async function start(
  step: InstanceStep,
  row: InstanceRow,
  values: Updateable<InstanceTable>,
  otherwise: (problem: string) => Promise<void>,
): Promise<void> {
  try {
    await step.database.transaction(async (tx) => {
      const placement = await takeResources(tx, row, step.now)
      const states = { run_state: 'starting', start_wanted: 0, reboot_count: 0 } as const
      const started = await endInstanceStep(
        tx,
        step,
        row,
        { ...states, ...placement, ...values },
        step.now,
      )
      // Another write came first, so the reservation is rolled back.
      if (!started) throw new Overtaken()
      await recordReturn(tx, step.now, row, 'instance_restarted', placement.sled_id)
    })
  } catch (error) {
    if (error instanceof Overtaken) return requeue(step, null)
    if (!(error instanceof ApiError)) throw error
    await otherwise(error.message)
  }
}

class Overtaken extends Error {}

const unfinishedDisks = ({ database: { db } }: InstanceStep, row: InstanceRow) =>
  db
    .selectFrom('disk')
    .select('id')
    .where('instance_id', '=', row.id)
    .where('state', '=', 'creating')
    .where('time_deleted', 'is', null)
    .execute()

async function hasFaultedDisk({ database: { db } }: InstanceStep, row: InstanceRow) {
  const disk = await db
    .selectFrom('disk')
    .select('id')
    .where('instance_id', '=', row.id)
    .where('state', '=', 'faulted')
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  return disk !== undefined
}

async function finishCreating(step: InstanceStep, row: InstanceRow): Promise<void> {
  const disks = await unfinishedDisks(step, row)
  for (const { id } of disks) await step.first('disk', id)
  if (disks.length > 0 && (await unfinishedDisks(step, row)).length > 0) {
    return requeue(step, soon(step.now))
  }
  const stay = () => settle(step, row, { run_state: 'stopped', start_wanted: 0 })
  // A machine would write to the disks that were made, and its guest miss the others.
  if (await hasFaultedDisk(step, row)) return stay()
  return row.start_wanted === 1 ? start(step, row, {}, stay) : stay()
}

/** The values of an instance about the pause of its machine. */
const pauseOf = (
  { now }: InstanceStep,
  row: InstanceRow,
  { pause }: MachineObservation,
): Pick<InstanceTable, 'pause' | 'time_paused'> => ({
  pause: pause ?? null,
  time_paused: pause === undefined ? null : (row.time_paused ?? now.toISOString()),
})
/** The values of an instance without a machine. */
const noMachine = { pause: null, time_paused: null, firmware: null, nothing_to_boot: 0 } as const

/** Wakes an update, or the maintenance of a sled, that waits for an instance to leave the sled. */
async function wakeWaiting(step: InstanceStep, tx: Db, sledId: string | null): Promise<void> {
  await setRunningUpdateAlarm(tx, step.now)
  step.wake('system_update')
  await tx
    .updateTable('sled_maintenance')
    .set({ reconcile_at: step.now.toISOString() })
    .where('sled_id', '=', sledId)
    .execute()
  step.wake('sled_maintenance')
}

/** The specification of a machine, whose volumes have been attached to it. */
async function specWithVolumes(
  { database, volumes, vpcNetworks, fence }: InstanceStep,
  row: InstanceRow,
): Promise<MachineSpec> {
  const spec = await machineSpec(database.db, row, vpcNetworks)
  const attached: MachineSpec['volumes'] = []
  for (const volume of spec.volumes) {
    attached.push({ ...volume, source: await volumes.attach(volume.id, row.vm_id!, fence) })
  }
  return { ...spec, volumes: attached }
}

/** Ends the use of an instance's disks by its machine, which is at rest. */
async function detachVolumes(
  { database: { db }, volumes, fence }: InstanceStep,
  row: InstanceRow,
): Promise<void> {
  for (const { id } of await volumesOf(db, row)) await volumes.detach(id, row.vm_id!, fence)
}

/**
 * Ends a machine, unless it is at rest already, and releases its resources. The engine keeps its
 * remains, for the serial console.
 */
async function end(
  step: InstanceStep,
  row: InstanceRow,
  run_state: 'stopped' | 'failed',
  phase: MachinePhase,
  { failure = null, sledDown }: { failure?: string | null; sledDown?: true } = {},
): Promise<void> {
  await step.machines.halt(row.vm_id!, step.fence)
  await detachVolumes(step, row)
  const last_vm_id = phase === 'absent' ? row.last_vm_id : row.vm_id
  // A failed instance is due again at once, because it may be restarted automatically.
  await settle(
    step,
    row,
    {
      run_state,
      vm_id: null,
      sled_id: null,
      ...atRest,
      ...noMachine,
      last_vm_id,
      failure,
      restart_problem: null,
    },
    {
      at: run_state === 'failed' ? step.now : null,
      async alongside(tx) {
        await releaseResources(tx, row, step.now)
        await wakeWaiting(step, tx, row.sled_id)
        // Written before the restart, so that the instance is not placed there again.
        if (sledDown) await recordSledDown(tx, row.sled_id!, step.now)
        if (failure === instanceFailures.fenced) await recordLoss(tx, step.now, row)
      },
    },
  )
}

/** Ends a machine that failed, is gone or has to go, and records the reason. */
const fail = (
  step: InstanceStep,
  row: InstanceRow,
  phase: MachinePhase,
  {
    failure = instanceFailures[phase === 'absent' ? phase : 'failed'],
    sledDown,
  }: Pick<MachineObservation, 'failure' | 'sledDown'>,
): Promise<void> => end(step, row, 'failed', phase, { failure, sledDown })

/**
 * Why an instance has lost a sled, so that it cannot stay there: the sled was expunged, or its host
 * is proven dead. Undefined if it has not.
 */
async function sledLoss(
  { database: { db } }: InstanceStep,
  sledId: string | null,
): Promise<{ failure: string } | undefined> {
  const sled = await findRow(db, 'sled', sledId, 'policy', 'fenced')
  if (sled?.policy === 'expunged') return { failure: instanceFailures.expunged }
  return sled?.fenced === 1 ? { failure: instanceFailures.fenced } : undefined
}

/** Whether the sled of an instance responds; on one that does not, its machine may run on. */
async function sledResponds(
  { database: { db } }: InstanceStep,
  row: InstanceRow,
): Promise<boolean> {
  return (await findRow(db, 'sled', row.sled_id, 'responding'))?.responding === 1
}

/** Destroys the previous machine of a deleted instance. */
async function destroyLast(step: InstanceStep, row: InstanceRow): Promise<void> {
  if (row.last_vm_id === null) return requeue(step, null)
  await step.machines.destroy(row.last_vm_id, step.fence)
  await step.database.concurrently(async (tx) => {
    await step.end(tx, null)
    await changeRow(tx, 'instance', row.id, { last_vm_id: null })
  })
}

const bootIsLate = ({ bootingSince }: MachineObservation, now: Date): boolean =>
  bootingSince !== undefined && now.getTime() - bootingSince.getTime() > INSTANCE_BOOT_TIMEOUT_MS

async function bringUp(step: InstanceStep, row: InstanceRow): Promise<void> {
  const { machines, fence, now } = step
  const id = row.vm_id!
  if (row.run_state === 'rebooting') await machines.reboot(id, row.reboot_count, fence)
  let seen = await machines.observe(id)
  if (seen.phase === 'absent' && row.run_state === 'starting') {
    if (row.last_vm_id !== null) await machines.destroy(row.last_vm_id, fence)
    await machines.run(id, await specWithVolumes(step, row), fence)
    seen = await machines.observe(id)
  }
  const { phase, changesAt } = seen
  const loss = await sledLoss(step, row.sled_id)
  if (loss) return fail(step, row, phase, loss)
  switch (phase) {
    case 'running':
      return settle(
        step,
        row,
        {
          run_state: 'running',
          last_vm_id: null,
          firmware: seen.firmware ?? null,
          nothing_to_boot: seen.nothingToBoot ? 1 : 0,
          ...pauseOf(step, row, seen),
        },
        { alongside: (tx) => recordReturn(tx, now, row, 'instance_running', row.sled_id) },
      )
    case 'stopped':
      return end(step, row, 'stopped', phase)
    case 'failed':
    case 'absent':
      return fail(step, row, phase, seen)
    case 'stopping':
      // The guest powers itself off, and is waited for as in any stop.
      return settle(step, row, { run_state: 'stopping' }, { at: changesAt ?? soon(now) })
    case 'rebooting':
      // The engine resets a guest that does not shut down.
      return requeue(step, changesAt ?? soon(now))
    case 'booting':
      // Silence of its sled proves nothing: the machine may have come up, and cannot be ended.
      return bootIsLate(seen, now) && (await sledResponds(step, row))
        ? end(step, row, 'failed', phase, { failure: instanceFailures.late })
        : requeue(step, changesAt ?? soon(now))
    default:
      return unknownState(phase)
  }
}

async function watch(step: InstanceStep, row: InstanceRow): Promise<void> {
  const seen = await step.machines.observe(row.vm_id!)
  const { phase, changesAt } = seen
  const loss = await sledLoss(step, row.sled_id)
  if (loss) return fail(step, row, phase, loss)
  switch (phase) {
    case 'running':
      return (seen.pause ?? null) === row.pause
        ? requeue(step, null)
        : settle(step, row, pauseOf(step, row, seen))
    case 'stopped':
      return end(step, row, 'stopped', phase)
    case 'failed':
    case 'absent':
      return fail(step, row, phase, seen)
    case 'rebooting':
    case 'stopping':
      // The guest rebooted or powered off by itself.
      return settle(step, row, { run_state: phase }, { at: changesAt ?? soon(step.now) })
    case 'booting':
      return requeue(step, changesAt ?? soon(step.now))
    default:
      return unknownState(phase)
  }
}

/** The values of an instance that is not migrating. */
const atRest = { destination_sled_id: null, migration_id: null }

/** Whether the destination of a migrating instance can take it. */
async function isDestinationUsable(
  { database: { db } }: InstanceStep,
  row: InstanceRow,
): Promise<boolean> {
  const sled = await db
    .selectFrom('sled')
    .select('id')
    .where('id', '=', row.destination_sled_id)
    .where('policy', '=', 'in_service')
    .where('responding', '=', 1)
    .executeTakeFirst()
  return sled !== undefined
}

/** Ends a step of a move that goes on, and writes how far it is. */
async function goOn(
  step: InstanceStep,
  row: InstanceRow,
  { changesAt, move }: MachineObservation,
): Promise<void> {
  const next = soon(step.now)
  const at = changesAt && changesAt < next ? changesAt : next
  if (!move) return requeue(step, changesAt ?? next)
  await step.database.concurrently(async (tx) => {
    await step.end(tx, at)
    await noteProgress(tx, step.now, row, move)
  })
}

/** Moves a running instance to another sled. */
async function migrate(step: InstanceStep, row: InstanceRow): Promise<void> {
  const { machines, database, now } = step
  const id = row.vm_id!
  const destination = row.destination_sled_id!
  const moveId = row.migration_id!
  const release = (tx: Db) => releaseDestination(tx, row, now)
  const move = await findRow(database.db, 'instance_move', moveId, 'cancelled_by')
  const isCancelled = typeof move?.cancelled_by === 'string'
  const possible = !isCancelled && (await isDestinationUsable(step, row))
  if (!possible) {
    const isLost = (await sledLoss(step, destination)) !== undefined
    await machines.cancelMove?.(id, moveId, step.fence, isLost)
  } else if (machines.migrate) {
    const { serial } = await database.db
      .selectFrom('sled')
      .select('name as serial')
      .where('id', '=', destination)
      .executeTakeFirstOrThrow()
    await machines.migrate(id, { id: destination, serial }, step.fence, moveId)
  }
  const seen = await machines.observe(id)
  const { phase, changesAt, sledId } = seen
  const loss = await sledLoss(step, row.sled_id)
  switch (phase) {
    case 'running':
      if (sledId === destination) {
        return settle(
          step,
          row,
          { run_state: 'running', sled_id: destination, ...atRest },
          {
            // Due at once, because its new sled may have been expunged meanwhile.
            at: now,
            async alongside(tx) {
              await releaseOrigin(tx, row, now)
              await wakeWaiting(step, tx, row.sled_id)
            },
          },
        )
      }
      if (loss) return fail(step, row, phase, loss)
      if (seen.moveFailure?.moveId === moveId) {
        const { reason } = seen.moveFailure
        return settle(
          step,
          row,
          { run_state: 'running', ...atRest },
          {
            at: now,
            ...(possible && { moveFailure: reason }),
            async alongside(tx) {
              await release(tx)
              await wakeWaiting(step, tx, row.sled_id)
            },
          },
        )
      }
      // The engine says when a move that is no longer wanted has ended.
      if (machines.migrate) return goOn(step, row, seen)
      return settle(step, row, { run_state: 'running', ...atRest }, { at: now, alongside: release })
    case 'rebooting':
    case 'stopping':
      // The guest rebooted or powered off by itself, which ends the move.
      return settle(
        step,
        row,
        { run_state: phase, ...atRest },
        { at: changesAt ?? soon(now), alongside: release },
      )
    case 'stopped':
      return end(step, row, 'stopped', phase)
    case 'failed':
    case 'absent':
      return fail(step, row, phase, seen)
    case 'booting':
      return requeue(step, changesAt ?? soon(now))
    default:
      return unknownState(phase)
  }
}

async function bringDown(step: InstanceStep, row: InstanceRow): Promise<void> {
  const { machines, now } = step
  const id = row.vm_id!
  await machines.stop(id, step.fence)
  const { phase, changesAt } = await machines.observe(id)
  // Nobody is there to stop it, and nothing runs.
  if (await sledLoss(step, row.sled_id)) return end(step, row, 'stopped', phase)
  switch (phase) {
    case 'stopped':
    case 'failed':
    case 'absent':
      return end(step, row, 'stopped', phase)
    case 'booting':
    case 'running':
    case 'rebooting':
    case 'stopping':
      return requeue(step, changesAt ?? soon(now))
    default:
      return unknownState(phase)
  }
}

async function autoRestart(step: InstanceStep, row: InstanceRow): Promise<void> {
  if (!autoRestartEnabled(row)) return requeue(step, null)
  const { now, settings } = step
  const expires = cooldownExpiration(row, settings.autoRestartCooldownMs)
  if (expires && expires > now) return requeue(step, expires)
  return start(step, row, { time_last_auto_restarted: now.toISOString() }, (problem) => {
    const again = soon(now, RESTART_RETRY_MS)
    return problem === row.restart_problem
      ? requeue(step, again)
      : settle(step, row, { restart_problem: problem }, { at: again })
  })
}

/** Takes the next step of an instance towards its desired state. */
function reconcileInstance(step: InstanceStep, row: InstanceRow): Promise<void> {
  switch (row.run_state) {
    case 'creating':
      return finishCreating(step, row)
    case 'starting':
    case 'rebooting':
      return bringUp(step, row)
    case 'migrating':
      return row.destination_sled_id === null ? watch(step, row) : migrate(step, row)
    case 'running':
    case 'repairing':
      return watch(step, row)
    case 'stopping':
      return bringDown(step, row)
    case 'failed':
      return autoRestart(step, row)
    case 'stopped':
      return requeue(step, null)
    case 'destroyed':
      return destroyLast(step, row)
    default:
      return unknownState(row.run_state)
  }
}

/** The reconciliation of instances. */
export const instanceReconciliation = (parts: InstanceParts): Reconciliation<'instance'> => ({
  table: 'instance',
  reconcile: (step, row) => reconcileInstance({ ...step, ...parts }, row),
  resync: () => resyncInstances(parts),
})
