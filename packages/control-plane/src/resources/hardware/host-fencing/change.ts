/** Rows about the fencing of hosts, and what operators want of them. */
import type { Wire } from '@steading/api'
import {
  fenceRefusal,
  fencingMessages,
  fencingMethodNames,
  fencingPasswordProblem,
  leasesProblem,
  type HostEventKind,
  isController,
  isPowerSwitch,
  type LeaseHold,
  powerSwitchProblem,
} from '@steading/api/rules'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import { fail, refuseIf } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { recordHostEvent } from './events.ts'
import type { HostFencingTable } from './table.ts'

export type FencingRow = Selectable<HostFencingTable>

/** The reason why the leases of a host prove nothing yet; undefined if none are waited for. */
export const leaseHoldOf = ({
  method,
  state,
  hold,
}: Pick<FencingRow, 'method' | 'state' | 'hold'>): LeaseHold | undefined =>
  method === 'leases' && state === 'fencing' && hold !== null ? (hold as LeaseHold) : undefined

/** The hold and the first event of a host that is to be proven dead by its method. */
export const beginning = (
  method: FencingRow['method'],
): { hold: LeaseHold | null; event: { kind: HostEventKind; detail?: string } } =>
  method === 'leases'
    ? { hold: 'running_out', event: { kind: 'lease_waiting' } }
    : { hold: null, event: { kind: 'fencing', detail: fencingMethodNames[method] } }

/** Values of a host that is not suspected, or is no longer. */
export const idle = {
  state: 'idle',
  hold: null,
  calls: 0,
  requested: 0,
  failures: 0,
  failure: null,
  remedy: null,
  time_failed: null,
} as const satisfies Updateable<HostFencingTable>

/** A host about whose fencing nothing was said yet. */
export const noFencing = (id: string): FencingRow => ({
  id,
  method: 'none',
  automatic: 0,
  address: null,
  port: null,
  user_name: null,
  password: null,
  system: null,
  verify_certificate: 1,
  check_due: 0,
  time_checked: null,
  checked: null,
  ...idle,
  incident: null,
  time_since: null,
  generation: 0,
  reconcile_at: null,
  ...unclaimed,
})

export const fencingOf = async (db: Db, hostId: string): Promise<FencingRow> =>
  (await findRow(db, 'host_fencing', hostId)) ?? noFencing(hostId)

/** Host id → what is known about its fencing. */
export async function fencingOfHosts(
  db: Db,
  hosts: readonly { id: string }[],
): Promise<Map<string, FencingRow>> {
  if (hosts.length === 0) return new Map()
  const ids = hosts.map(({ id }) => id)
  const found = await db.selectFrom('host_fencing').selectAll().where('id', 'in', ids).execute()
  return new Map(found.map((fencing) => [fencing.id, fencing]))
}

/** Sets the alarm of the host behind a sled, because the sled has become silent or has answered. */
export async function setFencingAlarm(db: Db, now: Date, serial: string): Promise<void> {
  const hosts = await rowsOf(db, 'host').select('its.id').where('its.serial', '=', serial).execute()
  const reconcile_at = now.toISOString()
  for (const { id } of hosts) {
    await db
      .insertInto('host_fencing')
      .values({ ...noFencing(id), reconcile_at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ reconcile_at }))
      .execute()
  }
}

/** Writes what an operator wants; steps in progress write nothing. */
export async function changeFencing(
  { db, now, emit, afterCommit, services }: Work,
  host: Row<'host'>,
  values: Updateable<HostFencingTable>,
): Promise<FencingRow> {
  const reconcile_at = now.toISOString()
  const row = await db
    .insertInto('host_fencing')
    .values({ ...noFencing(host.id), ...values, reconcile_at } as FencingRow)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ ...values, generation: sql`host_fencing.generation + 1`, reconcile_at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit('host', 'update', host)
  afterCommit(async () => services.reconciler.wake('host_fencing'))
  return row
}

/**
 * The password from now on. The present one stays only for the place that it was given for, because
 * nobody is to learn it by sending it elsewhere.
 * @throws ApiError 400
 */
function passwordOf(
  before: FencingRow,
  after: Pick<FencingRow, 'method' | 'address' | 'port' | 'verify_certificate'>,
  given: string | undefined,
): string | null {
  if (!isController(after.method)) {
    if (given !== undefined) throw fail.invalidValue('password', 'This method needs none')
    return null
  }
  if (given !== undefined) {
    const problem = fencingPasswordProblem(given)
    if (problem !== undefined) throw fail.invalidValue('password', problem)
    return given
  }
  if (before.password === null) throw fail.invalidValue('password', fencingMessages.noPassword)
  const isSame = (['method', 'address', 'port', 'verify_certificate'] as const).every(
    (field) => before[field] === after[field],
  )
  if (!isSame) throw fail.invalidValue('password', fencingMessages.newPassword)
  return before.password
}

/** @throws ApiError 400 for a power switch that is not possible */
export async function updateFencing(
  work: Work,
  host: Row<'host'>,
  body: Wire.HostFencingUpdate,
): Promise<FencingRow> {
  const { method, automatic, port = null, user = null, system = null, password } = body
  const address = isPowerSwitch(method) ? (body.address?.trim() ?? '') : null
  const problem = isPowerSwitch(method)
    ? powerSwitchProblem({ method, address: address ?? '', port, user, system })
    : leasesProblem({ address: body.address ?? null, port, user, system })
  if (problem) throw fail.invalidValue(problem.field, problem.problem)
  const verify_certificate = body.verify_certificate === false ? 0 : 1
  const before = await fencingOf(work.db, host.id)
  return changeFencing(work, host, {
    method,
    automatic: automatic ? 1 : 0,
    address,
    port,
    user_name: user,
    system,
    verify_certificate,
    password: passwordOf(before, { method, address, port, verify_certificate }, password),
    // The last answer was about another method, or other credentials.
    check_due: 1,
    checked: null,
    time_checked: null,
    // A correction is tried at once.
    failures: 0,
  })
}

/** Removes the method of a host. One that is being switched off is suspect again. */
export async function removeFencing(work: Work, host: Row<'host'>): Promise<FencingRow> {
  const before = await fencingOf(work.db, host.id)
  const { method, automatic, address, port, user_name, password, system } = noFencing(host.id)
  return changeFencing(work, host, {
    method,
    automatic,
    address,
    port,
    user_name,
    password,
    system,
    verify_certificate: 1,
    check_due: 0,
    checked: null,
    time_checked: null,
    ...(before.state === 'fencing' && { state: 'suspect' as const, requested: 0, calls: 0 }),
    failures: 0,
    failure: null,
    remedy: null,
    time_failed: null,
  })
}

/**
 * Switches a host off because an operator says so, whether it answers or not; or waits for the leases
 * of one that does not answer.
 * @throws ApiError 409 for a host that is not in service, has no method, or is being fenced
 */
export async function requestFencing(work: Work, host: Row<'host'>): Promise<FencingRow> {
  const { db, now, actor } = work
  const before = await fencingOf(db, host.id)
  const { method, state } = before
  refuseIf(fenceRefusal({ method, state, inService: host.state === 'in_service' }))
  const incident = state === 'idle' ? crypto.randomUUID() : (before.incident ?? crypto.randomUUID())
  const { hold, event } = beginning(method)
  const row = await changeFencing(work, host, {
    state: 'fencing',
    requested: 1,
    incident,
    time_since: now.toISOString(),
    hold,
    calls: 0,
    failures: 0,
    failure: null,
    remedy: null,
    time_failed: null,
  })
  const place = { host_id: host.id, incident }
  await recordHostEvent(db, now, place, 'requested', { detail: actor.displayName })
  await recordHostEvent(db, now, place, event.kind, event)
  return row
}

/** Forgets the power switch of a host that is removed, with its password. */
export const dropFencing = (db: Db, hostId: string): Promise<unknown> =>
  db.deleteFrom('host_fencing').where('id', '=', hostId).execute()
