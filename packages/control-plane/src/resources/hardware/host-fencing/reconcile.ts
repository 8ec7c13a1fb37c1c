/**
 * Brings a host that does not answer from suspicion to proof. Silence alone proves nothing: its
 * instances are lost only when its power switch has said that it is off, or another host has taken
 * their leases. Every decision is a row before it is acted on, so a server that is killed leaves it to
 * the next one; two servers at once switch a host off twice at most.
 */
import {
  FENCING_CALLS,
  FENCING_CHECK_MS,
  FENCING_PACE_MS,
  FENCING_RETRY_MAX_MS,
  fencingHolds,
  fencingMethodNames,
  type HostEventKind,
  isMassFailure,
  isPowerSwitch,
  leaseHoldMeanings,
} from '@steading/api/rules'
import { sql, type Updateable } from 'kysely'
import type { Db, OpenDatabase, Tx } from '../../../kernel/db/database.ts'
import { countRows, findRow } from '../../../kernel/db/rows.ts'
import { unknownState } from '../../../kernel/exhaustive.ts'
import { findLive, type Row } from '../../../kernel/kinds.ts'
import { type Fencing, type PowerSwitch, FencingFault } from '../../../kernel/ports/fencing.ts'
import type { HostEnrolment } from '../../../kernel/ports/host-enrolment.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import { writingIn } from '../../../kernel/work.ts'
import { setRackAlarms } from '../hardware/rack-alarm.ts'
import { maintenanceOf } from '../sled-maintenance/change.ts'
import { knownCensus, takeCensus } from './census.ts'
import { beginning, type FencingRow, idle } from './change.ts'
import { recordHostEvent } from './events.ts'
import { checkedColumn, type HostFencingTable, type FencingAnswer } from './table.ts'

interface FencingParts {
  database: OpenDatabase
  clock: () => Date
  enrolment: HostEnrolment
  /** Missing with an engine that switches nothing off. */
  fencing?: Fencing
}

/** A step, with the rows that it is about. */
interface FencingStep extends FencingParts {
  step: Step<'host_fencing'>
  row: FencingRow
  host: Row<'host'>
  /** Null for a host that is not in service, or is no longer. */
  sled: Row<'sled'> | null
}

interface Written {
  at?: Date | null
  events?: { kind: HostEventKind; detail?: string | null }[]
  /** Looked at in the same transaction; if it is no longer so, nothing is written. */
  onlyIf?: (tx: Tx) => Promise<boolean>
  alongside?: (tx: Tx) => Promise<void>
}

const later = ({ clock }: FencingParts, ms: number): Date => new Date(clock().getTime() + ms)
const soon = (parts: FencingParts): Date => later(parts, parts.fencing?.paceMs ?? FENCING_PACE_MS)

/**
 * Ends the step with new values, unless an operator has changed the row since it began.
 * @returns whether they were written
 */
async function write(
  { database, clock, step, row, host }: FencingStep,
  values: Updateable<HostFencingTable>,
  { at = null, events = [], onlyIf, alongside }: Written = {},
): Promise<boolean> {
  const now = clock()
  const moves = values.state !== undefined && values.state !== row.state
  return database.transaction(async (tx) => {
    if (onlyIf && !(await onlyIf(tx))) {
      await step.end(tx, now)
      return false
    }
    const written = await step.end(tx, at, {
      values: { ...values, ...(moves && { time_since: now.toISOString() }) },
      unchanged: { generation: row.generation },
    })
    if (!written) return false
    const incident = written.incident ?? host.id
    for (const { kind, detail } of events) {
      await recordHostEvent(tx, now, { host_id: host.id, incident }, kind, { detail })
    }
    await alongside?.(tx)
    const { emit } = writingIn(tx, now)
    await emit('host', 'update', host)
    if (!moves || host.sled_id === null) return true
    // Their users see what happens, but not the host.
    const instances = await tx
      .selectFrom('instance')
      .select(['id', 'name', 'project_id'])
      .where('sled_id', '=', host.sled_id)
      .execute()
    for (const instance of instances) await emit('instance', 'update', instance)
    return true
  })
}

function powerSwitchOf(row: FencingRow): PowerSwitch | undefined {
  const { method, address, port, user_name: user, password, system, verify_certificate } = row
  if (!isPowerSwitch(method) || address === null) return undefined
  const verifyCertificate = verify_certificate === 1
  return { method, address, port, user, password, system, verifyCertificate }
}

const answered = (answer: FencingAnswer, now: Date): Updateable<HostFencingTable> => ({
  checked: checkedColumn.write(answer),
  time_checked: now.toISOString(),
  check_due: 0,
})

/** When the method of a host is checked next; null without one. */
const nextCheck = ({ row }: FencingStep): Date | null =>
  row.method === 'none' || row.time_checked === null
    ? null
    : new Date(Date.parse(row.time_checked) + FENCING_CHECK_MS)

const isCheckDue = ({ row, clock }: FencingStep): boolean => {
  if (row.method === 'none') return false
  const at = row.time_checked === null ? 0 : Date.parse(row.time_checked) + FENCING_CHECK_MS
  return row.check_due === 1 || (row.state === 'idle' && at <= clock().getTime())
}

/** Asks the method of a host whether it would work; undefined without one, or with an engine that has none. */
async function ask({
  row,
  host,
  sled,
  fencing,
  enrolment,
}: FencingStep): Promise<FencingAnswer | undefined> {
  const at = powerSwitchOf(row)
  try {
    if (row.method === 'leases') {
      // It is looked at again once the host is in service.
      if (!sled) return undefined
      await enrolment.tryLeases(host.serial!)
      return { leases: true }
    }
    return fencing && at && { power: await fencing.power(at) }
  } catch (error) {
    if (!(error instanceof FencingFault)) throw error
    return { problem: error.message, remedy: error.remedy }
  }
}

/** Why a silent host is not switched off by itself, as far as the database knows. */
async function holdOf(
  db: Db,
  { row, sled, fencing }: Pick<FencingStep, 'row' | 'sled' | 'fencing'>,
): Promise<string | undefined> {
  if (row.method === 'none' || (isPowerSwitch(row.method) && !fencing)) return fencingHolds.noMethod
  if (row.automatic === 0) return fencingHolds.notAutomatic
  if (await maintenanceOf(db, sled!.id)) return fencingHolds.maintenance
  const { silent, count } = await knownCensus(db)
  return isMassFailure(silent, count) ? fencingHolds.mass(silent, count) : undefined
}

/** The host has answered before anything was proven, so nothing is lost. */
const answers = (its: FencingStep): Promise<boolean> =>
  write(its, idle, { at: nextCheck(its), events: [{ kind: 'answered' }] })

async function suspect(its: FencingStep): Promise<void> {
  const { database, clock, enrolment, step, row, host, sled } = its
  if (sled!.responding === 1) return void (await answers(its))
  const wait = async (hold: string): Promise<void> => {
    const at = soon(its)
    if (hold === row.hold && row.calls === 0) return step.end(database.db, at)
    const events = hold === row.hold ? [] : [{ kind: 'held' as const, detail: hold }]
    await write(its, { hold, calls: 0 }, { at, events })
  }
  const hold = await holdOf(database.db, its)
  if (hold !== undefined) return wait(hold)
  // The engine may have noticed nothing of the host for other reasons, such as a server that has
  // only just started.
  // The pause between two calls counts from their beginning: one in vain takes seconds.
  const next = soon(its)
  if (await enrolment.answers(host.serial!)) {
    await write(its, { hold: null, calls: 0 }, { at: soon(its) })
    return
  }
  const calls = row.calls + 1
  if (calls < FENCING_CALLS) {
    await write(its, { hold: null, calls }, { at: next })
    return
  }
  const { silent, count } = await takeCensus(database.db, enrolment)
  if (isMassFailure(silent, count)) return wait(fencingHolds.mass(silent, count))
  const { hold: begun, event } = beginning(row.method)
  await write(
    its,
    { state: 'fencing', hold: begun, calls: 0 },
    {
      at: clock(),
      events: [event],
      // The conditions may have changed during the calls; another host may be silent as well.
      async onlyIf(tx) {
        const present = await findRow(tx, 'sled', sled!.id)
        return present?.responding === 0 && (await holdOf(tx, its)) === undefined
      },
    },
  )
}

/** Whether the step still has its claim: a server may have slept since it began. */
async function isClaimed({ database, step, row }: FencingStep): Promise<boolean> {
  const present = await findRow(database.db, 'host_fencing', row.id, 'fence', 'generation', 'state')
  return (
    present?.fence === step.fence &&
    present.generation === row.generation &&
    present.state === 'fencing'
  )
}

/** The host is dead: its instances are lost, and nothing runs there until it is clear. */
const prove = async (its: FencingStep, answer: FencingAnswer): Promise<void> => {
  const { clock, step, row, sled } = its
  const now = clock()
  const written = await write(
    its,
    { ...idle, ...answered(answer, now), state: 'fenced' },
    {
      at: soon(its),
      events: [
        row.method === 'leases'
          ? { kind: 'lease_ended' }
          : { kind: 'fenced', detail: fencingMethodNames[row.method] },
      ],
      async alongside(tx) {
        const time = now.toISOString()
        await tx
          .updateTable('sled')
          .set({ fenced: 1, time_modified: time })
          .where('id', '=', sled!.id)
          .execute()
        await writingIn(tx, now).emit('sled', 'update', sled!)
        await tx
          .updateTable('instance')
          .set({ reconcile_at: time })
          .where((eb) =>
            eb.or([eb('sled_id', '=', sled!.id), eb('destination_sled_id', '=', sled!.id)]),
          )
          .execute()
      },
    },
  )
  if (written) step.wake('instance')
}

/** The method did not do what it was asked; it is tried again later. */
async function tryAgain(its: FencingStep, { message, remedy }: FencingFault): Promise<void> {
  const { row, fencing } = its
  const now = its.clock()
  const pause = Math.min(
    FENCING_RETRY_MAX_MS,
    (fencing?.paceMs ?? FENCING_PACE_MS) * 2 ** row.failures,
  )
  await write(
    its,
    {
      ...answered({ problem: message, remedy }, now),
      failures: row.failures + 1,
      failure: message,
      remedy,
      time_failed: row.time_failed ?? now.toISOString(),
    },
    {
      at: later(its, pause),
      events: message === row.failure ? [] : [{ kind: 'fencing_failed', detail: message }],
    },
  )
}

/** Waits until another host has taken the leases of a silent one. */
async function awaitLeases(its: FencingStep): Promise<void> {
  const { database, enrolment, step, row, host } = its
  const hold = await enrolment.leaseHold(host.serial!)
  if (hold === undefined) return prove(its, { leases: true })
  if (hold === row.hold && row.failure === null) return step.end(database.db, soon(its))
  const isHeld = hold !== 'running_out'
  await write(
    its,
    { hold, failures: 0, failure: null, remedy: null, time_failed: null },
    {
      at: soon(its),
      events:
        hold === row.hold
          ? []
          : [
              isHeld
                ? { kind: 'lease_held', detail: leaseHoldMeanings[hold] }
                : { kind: 'lease_waiting' },
            ],
    },
  )
}

/** Switches a host off, unless it is off, and looks whether it is. */
async function switchOff(its: FencingStep, fencing: Fencing, at: PowerSwitch): Promise<void> {
  if ((await fencing.power(at)) !== 'off') {
    if (!(await isClaimed(its))) return its.step.end(its.database.db, its.clock())
    await fencing.switchOff(at)
    if ((await fencing.power(at)) !== 'off') {
      throw new FencingFault(
        'its power is still on after it was switched off',
        'Switch it off by hand, at the host',
      )
    }
  }
  await prove(its, { power: 'off' })
}

async function fence(its: FencingStep): Promise<void> {
  const { database, fencing, row, sled } = its
  const byLeases = row.method === 'leases'
  // Leases end no host that answers, whoever has asked for it.
  if ((row.requested === 0 || byLeases) && sled!.responding === 1) return void (await answers(its))
  const isWanted =
    row.requested === 1 || (row.automatic === 1 && !(await maintenanceOf(database.db, sled!.id)))
  const at = powerSwitchOf(row)
  if (!isWanted || !(byLeases || (fencing && at))) {
    await write(its, { state: 'suspect', hold: null, calls: 0, requested: 0 }, { at: its.clock() })
    return
  }
  try {
    await (byLeases ? awaitLeases(its) : switchOff(its, fencing!, at!))
  } catch (error) {
    if (!(error instanceof FencingFault)) throw error
    await tryAgain(its, error)
  }
}

const heldBy = (db: Db, sledId: string): Promise<number> =>
  countRows(
    db
      .selectFrom('instance')
      .where((eb) => eb.or([eb('sled_id', '=', sledId), eb('destination_sled_id', '=', sledId)])),
  )

const unfence = async (tx: Tx, now: Date, sled: Row<'sled'>): Promise<void> => {
  await tx
    .updateTable('sled')
    .set({ fenced: 0, time_modified: now.toISOString() })
    .where('id', '=', sled.id)
    .execute()
  await writingIn(tx, now).emit('sled', 'update', sled)
}

/**
 * Switching a fenced host on is up to its operators. It is in service again once it answers, and
 * what it ran before has ended there too.
 */
async function comeBack(its: FencingStep): Promise<void> {
  const { database, enrolment, step, host, sled, clock } = its
  // The engine notices that it answers; until then, nobody calls it again and again.
  if (sled!.responding === 0) return step.end(database.db, null)
  const wait = () => step.end(database.db, soon(its))
  if ((await heldBy(database.db, sled!.id)) > 0) return wait()
  if (!(await enrolment.isClear(host.serial!))) return wait()
  await write(its, idle, {
    at: clock(),
    events: [{ kind: 'back' }],
    async alongside(tx) {
      // Nothing is placed there while it is fenced, so nothing has come meanwhile.
      await unfence(tx, clock(), sled!)
      await setRackAlarms(tx, clock())
    },
  })
  step.wake('rack')
}

/** Begins the story of a silence. */
const beginSuspicion = (its: FencingStep): Promise<boolean> => {
  const reason = its.enrolment.connection(its.host.serial!)?.reason ?? null
  return write(
    its,
    { ...idle, state: 'suspect', incident: crypto.randomUUID() },
    { at: its.clock(), events: [{ kind: 'silent', detail: reason }] },
  )
}

async function reconcileFencing(
  parts: FencingParts,
  step: Step<'host_fencing'>,
  row: FencingRow,
): Promise<void> {
  const { database } = parts
  const host = await findLive(database.db, 'host', row.id)
  // It ends with its host.
  if (!host) return step.end(database.db, null)
  const found = (await findRow(database.db, 'sled', host.sled_id)) ?? null
  const isInService =
    host.state === 'in_service' && host.serial !== null && found?.policy === 'in_service'
  const its: FencingStep = { ...parts, step, row, host, sled: isInService ? found : null }
  if (!isInService && row.state !== 'idle') {
    // Its sled was expunged, which is an operator's word that it is gone.
    await write(its, idle, {
      at: parts.clock(),
      ...(found && { alongside: (tx: Tx) => unfence(tx, parts.clock(), found) }),
    })
    return
  }
  if (row.state !== 'fencing' && isCheckDue(its)) {
    const answer = await ask(its)
    const now = parts.clock()
    if (answer) return void (await write(its, answered(answer, now), { at: now }))
  }
  switch (row.state) {
    case 'idle':
      if (isInService && found.responding === 0) return void (await beginSuspicion(its))
      return step.end(database.db, nextCheck(its))
    case 'suspect':
      return suspect(its)
    case 'fencing':
      return fence(its)
    case 'fenced':
      return comeBack(its)
    default:
      return unknownState(row.state)
  }
}

export const fencingReconciliation = (parts: FencingParts): Reconciliation<'host_fencing'> => ({
  table: 'host_fencing',
  reconcile: (step, row) => reconcileFencing(parts, step, row),
  async resync() {
    const { db } = parts.database
    const time = parts.clock().toISOString()
    await db
      .updateTable('host_fencing')
      .set({ reconcile_at: time })
      .where('reconcile_at', 'is', null)
      .where('lease_until', 'is', null)
      .execute()
    // Hosts that were silent before there were rows about them.
    await sql`
      insert into host_fencing (id, method, automatic, verify_certificate, check_due, state, calls,
        requested, failures, generation, fence, step_failures, reconcile_at)
      select host.id, 'none', 0, 1, 0, 'idle', 0, 0, 0, 0, 0, 0, ${time}
      from host join sled on sled.id = host.sled_id
      where host.time_deleted is null and host.state = 'in_service' and sled.responding = 0
        and not exists (select 1 from host_fencing where host_fencing.id = host.id)
      on conflict do nothing`.execute(db)
  },
})
