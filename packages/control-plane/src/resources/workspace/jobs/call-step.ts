import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { storedKind } from '../../../kernel/kinds.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { createTrail, type Trail } from '../../../kernel/audit/trail.ts'
import { createWork } from '../../../kernel/work.ts'
import type { JobItemRow } from './wire.ts'

/**
 * Runs the step of an item as the user who started its job, with the permission of its operation.
 * It does not wait for the effect: the reconciler finds the written rows.
 * @param trail collects facts for the audit log
 * @returns the id of the created resource
 * @throws ApiError the error with which the operation refuses the step
 */
export async function callStep(
  services: ControlPlaneServices,
  tx: Db,
  actor: Actor,
  { step, thing_kind, thing_id, makes }: JobItemRow,
  now: Date,
  trail: Trail = createTrail(),
): Promise<string | null> {
  const declared = storedKind(thing_kind).steps?.[step]
  if (!declared) throw fail.invalidRequest(`there is no way to ${step} a ${thing_kind}`)
  const { requiredActions, run } = declared
  const lastWrites: (() => Promise<void>)[] = []
  const work = createWork({
    services,
    db: tx,
    now,
    actor,
    requiredActions,
    atEnd: (write) => void lastWrites.push(write),
    afterCommit: () => {},
    trail,
  })
  const made = (await run(work, thing_id, { makes })) ?? null
  for (const write of lastWrites) await write()
  return made
}
