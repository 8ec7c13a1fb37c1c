/** The caller's own actions with their outcomes: from the audit log and the states of resources. */
import type { Wire } from '@steading/api'
import {
  type ActionOutcome,
  diskIsTransitioning,
  instanceIsTransitioning,
  settlingOperations,
} from '@steading/api/rules'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { pick } from '../../../kernel/pick.ts'
import type { EntryRow } from './list.ts'
import { sentenceOf, summaryOf, targetOf, userOf } from './wire.ts'

interface Present {
  outcome: Exclude<ActionOutcome, 'refused'>
  reason: string | null
}

const settling = new Set(Object.values(settlingOperations).flat())

/** The present states of the things that actions with a later effect were about, by id. */
async function presentOf(db: Db, rows: readonly EntryRow[]): Promise<Map<string, Present>> {
  const idsOf = (kind: keyof typeof settlingOperations) => [
    ...new Set(
      rows
        .filter(({ operation_id }) => settlingOperations[kind].includes(operation_id))
        .flatMap(({ target_id }) => target_id ?? []),
    ),
  ]
  const [instances, disks] = [idsOf('instance'), idsOf('disk')]
  const present = new Map<string, Present>()
  if (instances.length > 0) {
    const found = await rowsOf(db, 'instance')
      .select(['its.id', 'its.run_state', 'its.failure'])
      .where('its.id', 'in', instances)
      .execute()
    for (const { id, run_state, failure } of found) {
      const failed = run_state === 'failed'
      const outcome = failed ? 'failed' : instanceIsTransitioning(run_state) ? 'running' : 'done'
      present.set(id, { outcome, reason: failed ? failure : null })
    }
  }
  if (disks.length > 0) {
    const found = await rowsOf(db, 'disk')
      .select(['its.id', 'its.state'])
      .where('its.id', 'in', disks)
      .execute()
    for (const { id, state } of found) {
      const outcome =
        state === 'faulted' ? 'failed' : diskIsTransitioning(state) ? 'running' : 'done'
      present.set(id, { outcome, reason: null })
    }
  }
  return present
}

/**
 * Actions as their user sees them. The state of a thing tells about the newest action on it only:
 * earlier ones are done.
 */
export async function toWireOwnActions(
  db: Db,
  rows: readonly EntryRow[],
): Promise<Wire.OwnAction[]> {
  const present = await presentOf(db, rows)
  const newest = new Map<string, string>()
  for (const { target_id, time_completed, result, operation_id } of rows) {
    if (target_id === null || result !== 'success' || !settling.has(operation_id)) continue
    const known = newest.get(target_id)
    if (known === undefined || known < time_completed) newest.set(target_id, time_completed)
  }
  const becameOf = (row: EntryRow): Pick<Wire.OwnAction, 'outcome' | 'reason'> => {
    if (row.result === 'error') {
      const outcome = row.status! >= 500 ? 'failed' : 'refused'
      return { outcome, reason: row.error_message }
    }
    const { target_id: id, operation_id } = row
    const isNewest = id !== null && newest.get(id) === row.time_completed
    const state = isNewest && settling.has(operation_id) ? present.get(id) : undefined
    return state ?? { outcome: 'done', reason: null }
  }
  return rows.map((row) => ({
    ...pick(row, 'id', 'time_started', 'time_completed', 'operation_id'),
    summary: summaryOf(row.operation_id),
    sentence: sentenceOf(row),
    request_uri: row.request_uri,
    target: targetOf(row),
    ...becameOf(row),
  }))
}

const hidden = (row: EntryRow) => ({
  target: null,
  reason: null,
  sentence: sentenceOf({ ...row, target_name: null, facts: null }),
})

/**
 * Actions as others see them. A call that was refused may name things that the reader may not know
 * of, so neither its target nor its reason is told.
 */
export async function toWireActions(
  db: Db,
  actor: Actor,
  rows: readonly EntryRow[],
): Promise<Wire.Action[]> {
  const own = await toWireOwnActions(db, rows)
  return own.map((each, index) => {
    const { request_uri: _, ...action } = each
    const row = rows[index]!
    const isOwn = row.actor_id === actor.userId
    return {
      ...action,
      ...(row.result === 'error' && !isOwn ? hidden(row) : {}),
      user: userOf(actor, row),
      is_own: isOwn,
      job_id: row.job_id,
    }
  })
}
