/** The rules of a VPC, as rows and as answers. */
import type { Wire } from '@steading/api'
import type { Selectable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import type { VpcFirewallRuleTable } from './table.ts'
import { ruleFilters, ruleTargets } from './table.ts'

export type RuleRow = Selectable<VpcFirewallRuleTable>

const toWire = (row: RuleRow): Wire.VpcFirewallRule => ({
  ...identityOf(row),
  vpc_id: row.vpc_id,
  status: row.status,
  direction: row.direction,
  targets: ruleTargets.read(row.targets),
  filters: ruleFilters.read(row.filters),
  action: row.action,
  priority: row.priority,
})

/** The rules of a VPC, by name. */
export const ruleRows = (db: Db, { id }: Pick<Row<'vpc'>, 'id'>): Promise<RuleRow[]> =>
  db
    .selectFrom('vpc_firewall_rule')
    .selectAll()
    .where('vpc_id', '=', id)
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .execute()

export const toWireRules = async (
  db: Db,
  vpc: Pick<Row<'vpc'>, 'id'>,
): Promise<Wire.VpcFirewallRules> => ({ rules: (await ruleRows(db, vpc)).map(toWire) })
