import { ResourceHeader } from '../../page/resource-header.tsx'
import type {
  AlertRule,
  AlertRuleFiring,
  AlertRuleSeries,
  AlertSeriesState,
} from '@steading/api/client'
import { conditionWords, largestStep } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { BellPlus, ChartSpline, Clock } from 'lucide-react'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { useNameOfId } from '../timeseries/field-values.ts'
import type { NameOfId } from '../timeseries/series-names.ts'
import { valueText } from '../timeseries/unit-format.ts'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { CellLink } from '../../ui/link.tsx'
import { EmptyCell, Mono, Truncate } from '../../ui/text.tsx'
import { DateTime, TimeAgo } from '../../ui/time.tsx'
import {
  ruleDocs,
  firingsQuery,
  listPath,
  ruleQuery,
  seriesQuery,
  useRuleParams,
} from './queries.ts'
import { useRuleActions } from './rule-actions.tsx'
import { RuleStateBadge, SeriesStateBadge } from './rule-state.tsx'
import { Told } from './told.tsx'
import { Trial } from './trial.tsx'
import { type Fields, seriesNames } from './trial-view.ts'

/** A row of a table needs an id. */
type SeriesRow = AlertRuleSeries & { id: string; name: string }
type FiringRow = AlertRuleFiring & { name: string }

const named = <Row extends { fields: unknown }>(rows: readonly Row[], nameOf: NameOfId) => {
  const names = seriesNames(
    rows.map(({ fields }) => fields as Fields),
    nameOf,
  )
  return rows.map((row, index) => ({ ...row, name: names[index]! }))
}

/** What needs attention comes first. */
const order: AlertSeriesState[] = ['firing', 'pending', 'no_data', 'ok']
const byState = (rows: readonly AlertRuleSeries[]) =>
  rows.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))

/** The series, which leads to its instance where that is known. */
function SeriesCell({ name, fields }: { name: string; fields: unknown }) {
  const { owner } = useRuleParams()
  const nameOf = useRuleNames()
  const { instanceId } = fields as { instanceId?: string }
  const instance = instanceId && nameOf(instanceId)
  if (!owner || !instance) return <Truncate text={name} />
  return (
    <CellLink to="/projects/$project/instances/$instance" params={{ project: owner, instance }}>
      {name}
    </CellLink>
  )
}

/** Names of the instances and disks of the rule's project. */
function useRuleNames(): NameOfId {
  const { owner } = useRuleParams()
  return useNameOfId(owner === undefined ? 'system' : { project: owner })
}

const seriesColumns = ({ units, severity }: AlertRule): Column<SeriesRow>[] => [
  { id: 'series', header: 'series', cell: SeriesCell },
  {
    id: 'state',
    header: 'state',
    width: 128,
    phone: 'second',
    cell: ({ state }) => <SeriesStateBadge state={state} severity={severity} />,
  },
  {
    id: 'value',
    header: 'value',
    width: 176,
    phone: 'second',
    labelled: true,
    cell: ({ value }) => (value === null ? <EmptyCell /> : valueText(units, value)),
  },
  {
    id: 'since',
    header: 'since',
    width: 136,
    cell: ({ timeSince }) => <TimeAgo date={timeSince} caption="Since" ago />,
  },
]

const firingColumns = ({ units, severity }: AlertRule): Column<FiringRow>[] => [
  { id: 'series', header: 'series', cell: SeriesCell },
  {
    id: 'fired',
    header: 'fired',
    width: 176,
    phone: 'second',
    labelled: true,
    cell: ({ timeFired }) => <DateTime date={timeFired} />,
  },
  {
    id: 'over',
    header: 'over',
    width: 176,
    phone: 'second',
    labelled: true,
    cell: ({ timeResolved }) =>
      timeResolved ? (
        <DateTime date={timeResolved} />
      ) : (
        <SeriesStateBadge state="firing" severity={severity} />
      ),
  },
  {
    id: 'value',
    header: 'value',
    width: 176,
    cell: ({ value }) => (value === null ? <EmptyCell /> : valueText(units, value)),
  },
]

const noFirings: AlertRuleFiring[] = []

function RuleHeader({ rule }: { rule: AlertRule }) {
  const { owner } = useRuleParams()
  const navigate = useNavigate()
  const kind = owner === undefined ? 'system_alert_rule' : 'alert_rule'
  const star = useStarAction(kind)
  const history = useHistoryAction(kind)
  const who = useWhoCan(kind, owner)
  const actions = useRuleActions(owner, () => navigate({ to: listPath(owner) as '/' }))
  return (
    <ResourceHeader
      title={rule.name}
      icon={<BellPlus strokeWidth={1.5} aria-hidden />}
      kind={kind}
      thing={rule}
    >
      <DocsPopover {...ruleDocs} />
      <RefreshButton onRefresh={refetchShown} />
      <ActionMenu
        label="Alert rule actions"
        actions={[
          copyAction('Copy ID', rule.id),
          ...star(rule),
          ...history(rule),
          ...who(rule),
          ...actions(rule),
        ]}
      />
    </ResourceHeader>
  )
}

export function RulePage() {
  const { owner, name } = useRuleParams()
  const { data: rule } = usePrefetchedQuery(ruleQuery(owner, name))
  const series = useQuery(seriesQuery(owner, name))
  const firings = useQuery(firingsQuery(owner, name))
  const nameOf = useRuleNames()
  const { Row, IdRow, DescriptionRow, DateRow } = PropertiesTable
  return (
    <>
      <RuleHeader rule={rule} />
      <div className="flex flex-col gap-4 px-(--gutter) pb-6">
        {rule.problem !== null && (
          <Banner
            variant="notice"
            title={rule.enabled ? 'The rule cannot be evaluated' : 'The rule was disabled'}
          >
            {rule.problem} (since <DateTime date={rule.timeStateUpdated} />)
          </Banner>
        )}
        <PropertiesTable columns={2}>
          <Row label="State">
            <RuleStateBadge {...rule} />
          </Row>
          <Row label="Since">
            <DateTime date={rule.timeStateUpdated} />
          </Row>
          <Row label="Condition">{conditionWords(rule, rule.tagFilter)}</Row>
          <Row label="Severity">{rule.severity}</Row>
          <Row label="Unit">
            {rule.units ? largestStep(rule.units, 0).unit || rule.units : <EmptyCell />}
          </Row>
          <Row label="Evaluated">
            {rule.timeEvaluated ? <DateTime date={rule.timeEvaluated} /> : <EmptyCell />}
          </Row>
          <DescriptionRow description={rule.description} />
          <IdRow id={rule.id} />
          <DateRow label="Created" date={rule.timeCreated} />
          <DateRow label="Last modified" date={rule.timeModified} />
        </PropertiesTable>
        <Told owner={owner} />
        <p className="rounded-card border bg-raised px-3 py-2 wrap-anywhere">
          <Mono>{rule.query}</Mono>
        </p>
        <Trial
          owner={owner}
          condition={{
            query: rule.query,
            comparison: rule.comparison,
            threshold: rule.threshold,
            duration: rule.duration,
            tagFilter: rule.tagFilter,
          }}
          firings={firings.data?.items ?? noFirings}
        />
      </div>
      <div className="flex flex-col gap-6 pb-6">
        <Card title="Series" description="State of each series at the last evaluation">
          <LoadedTable
            what="The series"
            label="Series"
            columns={seriesColumns(rule)}
            read={{
              rows:
                series.data &&
                named(byState(series.data.items), nameOf).map((row) => ({
                  ...row,
                  id: JSON.stringify(row.fields),
                })),
              error: series.error,
              refetch: series.refetch,
            }}
            copyIdLabel="Copy fields"
            empty={{
              icon: ChartSpline,
              title: 'No series',
              body: 'The query has found no data since the rule was created',
            }}
          />
        </Card>
        <Card title="Firings" description="When the rule fired, the newest first">
          <LoadedTable
            what="The firings"
            label="Firings"
            columns={firingColumns(rule)}
            read={{
              rows: firings.data && named(firings.data.items, nameOf),
              error: firings.error,
              refetch: firings.refetch,
            }}
            empty={{ icon: Clock, title: 'No firings', body: 'The rule has not fired yet' }}
          />
        </Card>
      </div>
    </>
  )
}
