import type { Wire } from '@steading/api'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Cause } from '../../../kernel/cause.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { storedKind } from '../../../kernel/kinds.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { createAuditContext, type AuditContext } from '../../../kernel/audit/audit-context.ts'
import { runWork } from '../../../kernel/work.ts'
import type { JobItemRow } from './wire.ts'

/** The part of an item that its step needs. */
export interface StepItem extends Pick<
  JobItemRow,
  'step' | 'thing_kind' | 'thing_id' | 'thing_name' | 'makes'
> {
  /** Change of tags, of a step that tags. */
  tags?: Wire.TagsChange | null
}

/**
 * Runs the step of an item as a user, with the permission of its operation.
 * @param audit collects facts for the audit log
 * @param origin of the changes; its operation is that of the step
 * @returns the id of the created resource
 * @throws ApiError the error with which the operation refuses the step
 */
export async function callStep(
  services: ControlPlaneServices,
  tx: Db,
  actor: Actor,
  { step, thing_kind, thing_id, makes, tags = null }: StepItem,
  now: Date,
  audit: AuditContext = createAuditContext(),
  origin?: Omit<Cause, 'operationId'>,
): Promise<string | null> {
  const declared = storedKind(thing_kind).steps?.[step]
  if (!declared) throw fail.invalidRequest(`there is no way to ${step} a ${thing_kind}`)
  const { requiredActions, run, operation } = declared
  const cause = origin && { ...origin, operationId: operation ?? step }
  const parts = { services, db: tx, now, actor, requiredActions, audit, cause }
  return (await runWork(parts, (work) => run(work, thing_id, { makes, tags }))) ?? null
}
