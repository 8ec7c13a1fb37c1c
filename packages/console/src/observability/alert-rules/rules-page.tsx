import type { AlertRule } from '@steading/api/client'
import { conditionWords } from '@steading/api/rules'
import { BellPlus } from 'lucide-react'
import type { ListColumn } from '../../page/columns.tsx'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { ruleDocs, ruleListDefinition, systemRuleListDefinition, useRuleParams } from './queries.ts'
import { useRuleActions } from './rule-actions.tsx'
import { RuleStateBadge } from './rule-state.tsx'

const columns: ListColumn<AlertRule>[] = [
  'name',
  {
    id: 'state',
    header: 'state',
    sort: 'state',
    width: 184,
    phone: 'second',
    cell: (rule) => <RuleStateBadge {...rule} />,
  },
  {
    id: 'condition',
    header: 'condition',
    cell: (rule) => conditionWords(rule, rule.tagFilter),
  },
  { id: 'severity', header: 'severity', width: 112, cell: ({ severity }) => severity },
  {
    id: 'firing',
    header: 'firing',
    width: 104,
    phone: 'second',
    labelled: true,
    cell: ({ firing, series }) => `${firing} of ${series}`,
  },
  { id: 'description', optional: true },
  { id: 'created', optional: true },
]

const common = {
  noun: 'alert rule',
  icon: BellPlus,
  docs: ruleDocs,
  columns,
  bulk: true,
  empty: { body: 'Create an alert rule to be notified when a measurement passes a threshold' },
} as const

const rules = resourceList({
  ...common,
  list: ruleListDefinition,
  path: '/projects/$project/alert-rules',
  item: '/projects/$project/alert-rules/$alertRule',
  create: { calls: 'alertRuleCreate' },
})

const systemRules = resourceList({
  ...common,
  list: systemRuleListDefinition,
  path: '/system/alert-rules',
  item: '/system/alert-rules/$alertRule',
  create: { calls: 'systemAlertRuleCreate' },
})

export function RulesPage() {
  const { owner } = useRuleParams()
  const actions = useRuleActions(owner)
  return owner === undefined ? (
    <ResourceList of={systemRules} actions={actions} />
  ) : (
    <ResourceList of={rules} within={{ project: owner }} actions={actions} />
  )
}
