/** Audit log entries for steps that are taken in the background. */
import { operationTable } from '@steading/api'
import type { ErrorTemplate } from '@steading/api/rules'
import { type Entry, entryOf, type Origin } from '../../../kernel/audit/entry.ts'
import type { AuditContext } from '../../../kernel/audit/audit-context.ts'
import type { Actor } from '../../../kernel/authz/actor.ts'
import { storedKind } from '../../../kernel/kinds.ts'
import type { StepItem } from './call-step.ts'

export interface AuditedItem {
  origin: Origin
  author: Actor
  /** The job whose item it is. */
  jobId?: string
  item: StepItem
  audit: AuditContext
  now: Date
  error?: ErrorTemplate
}

export function entryOfItem({
  origin,
  author,
  jobId,
  item,
  audit,
  now,
  error,
}: AuditedItem): Entry | undefined {
  const { step, thing_kind, thing_id, thing_name, makes } = item
  const operation = storedKind(thing_kind).steps?.[step]?.operation
  if (!operation) return undefined
  // Lookups of the step come after the resource itself, which it may fail to find.
  const { row, related } = entryOf({
    called: { id: operation, operation: operationTable[operation] },
    origin,
    author,
    jobId,
    args: { body: { name: makes ?? thing_name } },
    audit,
    started: now,
    completed: now,
    error,
  })
  if (row.target_id === null && makes === null) row.target_id = thing_id
  return { row, related }
}
