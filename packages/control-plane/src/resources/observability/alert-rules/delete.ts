import { rowsOf } from '../../../kernel/kinds.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { endFirings } from './firings.ts'
import { contextOf } from './context.ts'
import type { RuleRow } from './wire.ts'

export const kindOfRule = ({ project_id }: Pick<RuleRow, 'project_id'>) =>
  project_id === null ? 'system_alert_rule' : 'alert_rule'

/** Deletes a rule with its states; its receivers are notified that it no longer fires. */
export async function deleteRule(writing: Writing, rule: RuleRow): Promise<void> {
  const { db } = writing
  const context = await contextOf(db, rule)
  if (context) await endFirings(writing, rule, context, 'deleted')
  await db.deleteFrom('alert_rule_firing').where('rule_id', '=', rule.id).execute()
  await db.deleteFrom('alert_rule_state').where('rule_id', '=', rule.id).execute()
  await deleteRow(writing, kindOfRule(rule), rule)
}

/** Deletes the rules of a project that is about to be deleted. */
export async function deleteRulesOf(writing: Writing, projectId: string): Promise<void> {
  const rules = await rowsOf(writing.db, 'alert_rule')
    .selectAll()
    .where('its.project_id', '=', projectId)
    .execute()
  for (const rule of rules) await deleteRule(writing, rule)
}
