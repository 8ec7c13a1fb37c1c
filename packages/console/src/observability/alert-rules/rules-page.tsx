import type { AlertRule } from '@steading/api/client'
import { conditionWords } from '@steading/api/rules'
import { BellPlus, Plus } from 'lucide-react'
import { type ComponentProps, useMemo } from 'react'
import { useLivePolling } from '../../data/live.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import {
  ruleDocs,
  ruleListDefinition,
  systemRuleListDefinition,
  allRulesQuery,
  newPath,
  type RuleOwner,
  rulePath,
  useRuleParams,
} from './queries.ts'
import { useRuleActions } from './rule-actions.tsx'
import { RuleStateBadge } from './rule-state.tsx'

const noun = { one: 'alert rule', many: 'alert rules' }

const columnsOf = (owner: RuleOwner): Column<AlertRule>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => <CellLink to={rulePath(owner, name) as '/'}>{name}</CellLink>,
  },
  {
    id: 'state',
    header: 'state',
    sort: 'state',
    width: 184,
    phone: 'second',
    cell: ({ state }) => <RuleStateBadge state={state} />,
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
  { ...(descriptionColumn as Column<AlertRule>), optional: true },
  { ...(createdColumn as Column<AlertRule>), optional: true },
]

const POLL_MS = 10_000

export function RulesPage() {
  const { owner } = useRuleParams()
  return owner === undefined ? <SystemRules /> : <ProjectRules project={owner} />
}

const SYSTEM = columnsOf(undefined)

function SystemRules() {
  const list = useListPage(systemRuleListDefinition, {}, SYSTEM, {
    refetchInterval: useLivePolling(POLL_MS),
  })
  const bulk = useBulk('system_alert_rule', list)
  return <Rules owner={undefined} list={list} bulk={bulk} calls="systemAlertRuleCreate" />
}

function ProjectRules({ project }: { project: string }) {
  const columns = useMemo(() => columnsOf(project), [project])
  const list = useListPage(ruleListDefinition, { project }, columns, {
    refetchInterval: useLivePolling(POLL_MS),
  })
  const bulk = useBulk('alert_rule', list, project)
  return <Rules owner={project} list={list} bulk={bulk} calls="alertRuleCreate" />
}

type RulesProps = {
  owner: RuleOwner
  list: ComponentProps<typeof ListPage<AlertRule>>['list']
  bulk: ReturnType<typeof useBulk>
  calls: 'alertRuleCreate' | 'systemAlertRuleCreate'
}

function Rules({ owner, list, bulk, calls }: RulesProps) {
  const actions = useRuleActions(owner)
  useListQuickActions(
    useMemo(
      () => ({
        all: allRulesQuery(owner),
        group: 'Go to alert rule',
        pathOf: (rule: string) => rulePath(owner, rule),
      }),
      [owner],
    ),
  )
  return (
    <ListPage
      title="Alert Rules"
      label="Alert rules"
      icon={BellPlus}
      noun={noun}
      docs={ruleDocs}
      reads={[owner === undefined ? 'systemAlertRuleSearch' : 'alertRuleSearch']}
      create={{
        label: 'New alert rule',
        calls,
        icon: Plus,
        path: newPath(owner),
      }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{
        title: 'No alert rules',
        body: 'Create an alert rule to be notified when a measurement passes a threshold',
        create: 'New alert rule',
      }}
    />
  )
}
