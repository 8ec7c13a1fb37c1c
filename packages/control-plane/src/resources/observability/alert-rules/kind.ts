import { sql } from 'kysely'
import { deletionSentences } from '@steading/api/rules'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { deleteRule } from './delete.ts'
import { toWireRule } from './wire.ts'
import { alertRuleTables } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    system_alert_rule: 'alert_rule'
  }
}

const search = {
  searched: described,
  sorts: { ...usualSorts, state: text('state') },
  filters: { state: oneOf('state'), severity: oneOf('severity') },
  toWire: each(toWireRule),
}

export const alert_rule: StoredKind<'alert_rule'> = {
  tables: alertRuleTables,
  live: 'project_id is not null',
  search: searchOf('alert_rule_search', search),
  steps: {
    delete: stepOn('alert_rule', 'alert_rule_delete', deleteRule),
  },
  deletion: { columns: { project_id: 'project_id' } },
  relations: [
    {
      owner: 'project',
      relation: 'goes',
      pairs: sql`select id, project_id as owner_id from alert_rule where project_id is not null`,
      reason: deletionSentences.partOfProject,
    },
  ],
}

export const system_alert_rule: StoredKind<'system_alert_rule'> = {
  table: 'alert_rule',
  live: 'fleet_id is not null',
  search: searchOf('system_alert_rule_search', search),
  steps: {
    delete: stepOn('system_alert_rule', 'system_alert_rule_delete', deleteRule),
  },
  deletion: { columns: {} },
}
