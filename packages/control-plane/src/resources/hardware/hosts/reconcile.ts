/** Checks hosts, makes those that pass sleds of the rack, and forgets those that are removed. */
import {
  failedBy,
  HOST_CLOCK_LOOK_MS,
  type HostFinding,
  hostName,
  hostProblems,
} from '@steading/api/rules'
import type { Updateable } from 'kysely'
import { sql } from 'kysely'
import type { OpenDatabase, Tx } from '../../../kernel/db/database.ts'
import { named } from '../../../kernel/search/name-key.ts'
import { findLive, type Row, rowsOf } from '../../../kernel/kinds.ts'
import type { BaseboardId, Hardware } from '../../../kernel/ports/hardware.ts'
import type { HostEnrolment, HostExamination } from '../../../kernel/ports/host-enrolment.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import { writingIn } from '../../../kernel/work.ts'
import { setRackAlarms } from '../hardware/rack-alarm.ts'
import { findRackWith } from '../hardware/unused-hardware.ts'
import { addMembers, findMembership } from '../racks/membership.ts'
import { dropFencing } from '../host-fencing/change.ts'
import { clockValues } from './clock.ts'
import { findingsColumn } from './findings.ts'
import type { HostTable } from './kind.ts'

interface HostParts {
  database: OpenDatabase
  clock: () => Date
  hardware: Hardware
  enrolment: HostEnrolment
}
type HostRow = Row<'host'>
type HostStep = Step<'host'>

/** Interval for looking whether the rack has followed, should it not set the alarm. Milliseconds. */
const FOLLOW_MS = 1_000

/** A host that has passed its checks. */
type Known = HostRow & BaseboardId
const isKnown = (row: HostRow): row is Known => row.part !== null && row.serial !== null

const isSame = (one: BaseboardId, other: BaseboardId): boolean =>
  one.part === other.part && one.serial === other.serial

/**
 * Ends a step with new values, unless an operator has changed the host since it began.
 * @returns whether they were written
 */
async function write(
  tx: Tx,
  { clock }: HostParts,
  step: HostStep,
  { generation }: HostRow,
  values: Updateable<HostTable>,
  at: Date | null = null,
): Promise<boolean> {
  const now = clock()
  const outcome = {
    values: { ...values, time_modified: now.toISOString() },
    unchanged: { generation },
  }
  const written = await step.end(tx, at, outcome)
  if (!written) return false
  await writingIn(tx, now).emit(
    'host',
    written.time_deleted === null ? 'update' : 'delete',
    written,
  )
  return true
}

/** The sled of a host that is not decommissioned. */
const sledOf = (tx: Tx, { part, serial }: BaseboardId) =>
  tx
    .selectFrom('sled')
    .select(['id', 'policy'])
    .where('name', '=', serial)
    .where('part', '=', part)
    .where('state', '=', 'active')
    .executeTakeFirst()

/**
 * Why a machine cannot be this host: another host is that machine already. If that one is out of
 * reach, the machine has moved, and this host takes its place; nobody should have to know both.
 */
async function resolveOther(
  tx: Tx,
  { clock, enrolment }: HostParts,
  { id }: HostRow,
  { part, serial }: BaseboardId,
): Promise<HostFinding | undefined> {
  const other = await rowsOf(tx, 'host')
    .selectAll()
    .where('its.id', '!=', id)
    .where('its.part', '=', part)
    .where('its.serial', '=', serial)
    .executeTakeFirst()
  if (!other) return undefined
  const isGone = enrolment.connection(serial)?.connected === false
  if (!isGone || other.state === 'leaving') {
    return hostProblems.same_host({ address: other.address })
  }
  const now = clock()
  await tx
    .updateTable('host')
    .set({ time_deleted: now.toISOString(), generation: sql`generation + 1`, reconcile_at: null })
    .where('id', '=', other.id)
    .execute()
  await writingIn(tx, now).emit('host', 'delete', other)
  return undefined
}

/** A host in service, or one that was, stays what it is. A new address counts if it is there. */
async function refresh(
  parts: HostParts,
  step: HostStep,
  row: Known,
  { findings, host }: HostExamination,
): Promise<void> {
  const { database, clock, enrolment } = parts
  const address = row.next_address ?? row.address
  const isIt = host !== undefined && isSame(host, row)
  if (isIt) await enrolment.enroll(host, address)
  const found =
    host && !isIt
      ? failedBy(findings, hostProblems.other_host({ found: host.serial, expected: row.serial }))
      : findings
  const checked = {
    findings: findingsColumn.write(found),
    time_checked: clock().toISOString(),
    check_due: 0 as const,
  }
  const moved = { ...named(hostName(address)), address, next_address: null }
  await database.transaction(async (tx) => {
    // The sled may have changed meanwhile.
    await write(tx, parts, step, row, { ...checked, ...(isIt && moved) }, clock())
  })
}

async function check(parts: HostParts, step: HostStep, row: HostRow): Promise<void> {
  const { database, clock, enrolment } = parts
  const examination = await enrolment.examine(row.next_address ?? row.address)
  if (isKnown(row)) return refresh(parts, step, row, examination)
  const { findings, host } = examination
  await database.transaction(async (tx) => {
    const now = clock()
    const current = await findLive(tx, 'host', row.id, 'generation')
    if (current?.generation !== row.generation) return step.end(tx, null)
    const problem = host && (await resolveOther(tx, parts, row, host))
    const checked = {
      findings: findingsColumn.write(problem ? failedBy(findings, problem) : findings),
      time_checked: now.toISOString(),
      check_due: 0 as const,
    }
    const passed = host !== undefined && problem === undefined
    await write(
      tx,
      parts,
      step,
      row,
      passed ? { ...checked, ...host, state: 'joining' } : { ...checked, state: 'refused' },
      passed ? now : null,
    )
  })
}

/** Adds the sled of a host to its rack once the rack has seen it, and no other change goes on. */
async function requestSled(tx: Tx, row: Known, now: Date): Promise<void> {
  const rack = await findRackWith(tx, row)
  if (!rack) return
  const membership = await findMembership(tx, rack.id)
  if (membership?.state !== 'in_progress') await addMembers(writingIn(tx, now), rack, [row])
}

/** Looks at the clock of a host in service. One that does not answer keeps what is known. */
async function lookAtClock(parts: HostParts, step: HostStep, row: Known): Promise<void> {
  const { database, clock, enrolment } = parts
  const isSilent = enrolment.connection(row.serial)?.connected === false
  const seconds = isSilent ? undefined : await enrolment.clockAhead(row.serial)
  const now = clock()
  const values = seconds === undefined ? undefined : clockValues(row, seconds, now)
  const next = values?.check_due === 1 ? now : new Date(now.getTime() + HOST_CLOCK_LOOK_MS)
  if (!values) return step.end(database.db, next)
  await database.transaction((tx) => write(tx, parts, step, row, values, next))
}

/**
 * Brings a host to the state of its sled.
 * @returns whether it is in service already, and the step has not ended
 */
async function followSled(parts: HostParts, step: HostStep, row: Known): Promise<boolean> {
  const { database, clock, enrolment } = parts
  const isJoining = row.state === 'joining'
  // The row has the identity already, so no other host can enroll it elsewhere.
  if (isJoining) await enrolment.enroll({ part: row.part, serial: row.serial }, row.address)
  const isSettled = await database.transaction(async (tx) => {
    const now = clock()
    const sled = await sledOf(tx, row)
    if (isJoining && sled?.policy !== 'in_service') {
      const later = new Date(now.getTime() + FOLLOW_MS)
      const unchanged = { generation: row.generation }
      if (!(await step.end(tx, later, { values: {}, unchanged }))) return false
      // A sled that was expunged is there until it holds nothing.
      if (!sled) await requestSled(tx, row, now)
      await setRackAlarms(tx, now)
      return false
    }
    const state = sled?.policy === 'in_service' ? 'in_service' : 'expunged'
    const sled_id = sled?.id ?? null
    const isInService = state === 'in_service'
    if (state === row.state && sled_id === row.sled_id) {
      if (!isInService) await step.end(tx, null)
      return isInService
    }
    await write(tx, parts, step, row, { state, sled_id }, isInService ? now : null)
    return false
  })
  if (isJoining) step.wake('rack')
  return isSettled
}

async function leave(parts: HostParts, step: HostStep, row: HostRow): Promise<void> {
  const { database, clock, enrolment, hardware } = parts
  if (isKnown(row)) {
    const { sleds } = await hardware.inventory()
    if (sleds.find((sled) => isSame(sled, row))?.id !== undefined) {
      // The rack has yet to release the sled.
      await database.transaction(async (tx) => {
        const now = clock()
        await setRackAlarms(tx, now)
        await step.end(tx, new Date(now.getTime() + FOLLOW_MS))
      })
      return step.wake('rack')
    }
    await enrolment.forget({ part: row.part, serial: row.serial })
  }
  await database.transaction(async (tx) => {
    await setRackAlarms(tx, clock())
    await dropFencing(tx, row.id)
    await write(tx, parts, step, row, { time_deleted: clock().toISOString() })
  })
  step.wake('rack')
}

async function reconcileHost(parts: HostParts, step: HostStep, row: HostRow): Promise<void> {
  if (row.time_deleted !== null) return step.end(parts.database.db, null)
  if (row.state === 'leaving') return leave(parts, step, row)
  if (row.check_due === 1) return check(parts, step, row)
  if (!isKnown(row)) return step.end(parts.database.db, null)
  if (await followSled(parts, step, row)) await lookAtClock(parts, step, row)
}

export const hostReconciliation = (parts: HostParts): Reconciliation<'host'> => ({
  table: 'host',
  reconcile: (step, row) => reconcileHost(parts, step, row),
})
