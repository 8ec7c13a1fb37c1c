import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { step } from '../../../kernel/steps.ts'
import { deleteRule } from './delete.ts'
import type { AlertRuleTable } from './table.ts'
import { viewRule } from './view.ts'
import './deletion.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    alert_rule: AlertRuleTable
    system_alert_rule: AlertRuleTable
  }
}

storeTable('alert_rule', {
  partOf: { project_id: 'project' },
  names: {
    alert_rule_name: kinds.alert_rule.type,
    system_alert_rule_name: kinds.system_alert_rule.type,
  },
})

storeTable('alert_rule_state', { partOf: { rule_id: 'alert_rule' } })

storeTable('alert_rule_firing', { partOf: { rule_id: 'alert_rule' } })

const search = {
  searched: described,
  sorts: { ...usualSorts, state: text('state') },
  filters: { state: oneOf('state'), severity: oneOf('severity') },
  views: each(viewRule),
}

storeKind('alert_rule', {
  table: 'alert_rule',
  live: 'project_id is not null',
  search: searchOf('alert_rule_search', search),
  steps: {
    delete: step('alert_rule_delete', async (work, id) =>
      deleteRule(work, await lookup(work, 'alert_rule', id)),
    ),
  },
  deletion: { columns: { project_id: 'project_id' } },
})

storeKind('system_alert_rule', {
  table: 'alert_rule',
  live: 'fleet_id is not null',
  search: searchOf('system_alert_rule_search', search),
  steps: {
    delete: step('system_alert_rule_delete', async (work, id) =>
      deleteRule(work, await lookup(work, 'system_alert_rule', id)),
    ),
  },
  deletion: { columns: {} },
})
