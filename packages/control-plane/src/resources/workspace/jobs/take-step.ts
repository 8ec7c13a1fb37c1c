/** Steps that are taken for a user in the background, each an attempt in a transaction. */
import { errors, type ErrorTemplate } from '@steading/api/rules'
import type { Updateable } from 'kysely'
import { attempt } from '../../../kernel/attempt.ts'
import type { Entry, Origin } from '../../../kernel/audit/entry.ts'
import { createAuditContext, type AuditContext } from '../../../kernel/audit/audit-context.ts'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { entryOfItem } from './audit.ts'
import { callStep, type StepItem } from './call-step.ts'
import { endsAtOnce } from './observe.ts'
import type { JobItemTable } from './table.ts'

export type ItemValues = Pick<Updateable<JobItemTable>, 'state' | 'reason' | 'made_id'>

/** Outcome of an item's step. */
export interface Outcome {
  values: ItemValues
  entry?: Entry
}

interface Taking {
  actor: Actor
  now: Date
  origin: Origin
  /** The job whose item it is. */
  jobId?: string
  /** Facts that the audit log has from the beginning. */
  audit?: AuditContext
}

/** Runs the operation of one item; its changes are rolled back if it is refused. */
export async function takeStep(
  services: ControlPlaneServices,
  tx: Tx,
  item: StepItem,
  { actor, now, origin, jobId, audit = createAuditContext() }: Taking,
): Promise<Outcome> {
  const { step, thing_kind } = item
  const entryWith = (error?: ErrorTemplate) =>
    entryOfItem({ origin, author: actor, jobId, item, audit, now, error })
  const attempted = await attempt(services, tx, () =>
    callStep(services, tx, actor, item, now, audit, {
      requestId: origin.requestId,
      authMethod: origin.credential?.method ?? null,
      jobId,
    }),
  )
  if ('value' in attempted) {
    const state = endsAtOnce(step, thing_kind) ? 'succeeded' : 'running'
    return { values: { state, made_id: attempted.value }, entry: entryWith() }
  }
  const { error, refusal } = attempted
  if (!refusal) {
    services.settings.log(
      `${step} of ${thing_kind} ${item.thing_id} in the background failed`,
      error,
    )
  }
  const template = refusal?.template ?? errors.internal()
  return { values: { state: 'failed', reason: template.message }, entry: entryWith(template) }
}
