import type { Wire } from '@steading/api'
import { firewallRulesRefusal } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { refuseIf } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { type RuleRow, ruleRows, toWireRules } from './rules.ts'
import { ruleFilters, ruleTargets } from './table.ts'

/** The columns that the caller sets; the control plane adds the others. */
const contents = [
  'description',
  'status',
  'direction',
  'targets',
  'filters',
  'action',
  'priority',
] as const

/** The row of a rule, which keeps the times of the previous rule with the same name. */
function rowOf(
  vpc: Row<'vpc'>,
  { filters, targets, ...rule }: Wire.VpcFirewallRuleUpdate,
  before: RuleRow | undefined,
  time: string,
): RuleRow {
  const { hosts = null, ports = null, protocols = null } = filters
  const row = {
    ...rule,
    id: crypto.randomUUID(),
    vpc_id: vpc.id,
    targets: ruleTargets.write(targets),
    filters: ruleFilters.write({ hosts, protocols, ports }),
    time_created: before?.time_created ?? time,
    time_modified: time,
    time_deleted: null,
  }
  const unchanged = before && contents.every((column) => row[column] === before[column])
  return unchanged ? { ...row, time_modified: before.time_modified } : row
}

/** Rows per statement, as databases limit the number of values. */
const ROWS_AT_ONCE = 500

async function insert(db: Db, rows: RuleRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await db
      .insertInto('vpc_firewall_rule')
      .values(rows.slice(start, start + ROWS_AT_ONCE))
      .execute()
  }
}

/**
 * Replaces all rules of a VPC. The old rows are removed at once: nothing refers to them, and
 * frequent replacements would fill the table.
 * @throws ApiError 400 for invalid rules
 */
export async function replaceRules(
  { db, now, emit }: Writing,
  vpc: Row<'vpc'>,
  rules: Wire.VpcFirewallRuleUpdate[],
): Promise<Wire.VpcFirewallRules> {
  refuseIf(firewallRulesRefusal(rules, vpc.name))
  const before = new Map((await ruleRows(db, vpc)).map((row) => [row.name, row]))
  await db
    .deleteFrom('vpc_firewall_rule')
    .where('vpc_id', '=', vpc.id)
    .where('time_deleted', 'is', null)
    .execute()
  const time = now.toISOString()
  await insert(
    db,
    rules.map((rule) => rowOf(vpc, rule, before.get(rule.name), time)),
  )
  await emit('vpc_firewall_rule', 'update', vpc)
  return toWireRules(db, vpc)
}
