import { firewallActionNames, firewallTraffic } from '@steading/api/rules'
import type { ReactNode } from 'react'
import { createdColumn } from '../../page/columns.tsx'
import { ListPlusCell } from '../../ui/cells.tsx'
import { cx } from '../../ui/cx.ts'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import type { VpcParams } from '../vpcs/queries.ts'
import { NotEnforcedTag } from './not-enforced.tsx'
import { packetsColumn } from './rule-packets.tsx'
import type { Rule } from './rules.ts'
import {
  actionLooks,
  directionNames,
  hostTypeNames,
  statusNames,
  trafficOf,
  trafficTexts,
} from './labels.ts'

/** A pair of badges with a type and a value; a single badge without a value. */
const TypeValue = ({ type, value }: { type: string; value?: ReactNode }) => (
  <span className="inline-flex h-5 max-w-full min-w-0 items-stretch rounded-sm border border-line-strong align-middle text-xs whitespace-nowrap">
    <span className="flex items-center rounded-s-sm bg-raised px-1.5 text-secondary">{type}</span>
    {value !== undefined && (
      <>
        {' '}
        <span
          className="block min-w-0 truncate border-s border-line-strong px-1.5 leading-[18px] text-primary"
          {...tooltip(typeof value === 'string' ? value : undefined, 'truncated')}
        >
          {value}
        </span>
      </>
    )}
  </span>
)

/** One of several values of a cell, as badges and as text. */
type Item = { text: string; content: React.ReactNode }

const hostItem = ({ type, value }: Rule['targets'][number]): Item => ({
  text: `${hostTypeNames[type]} ${value}`,
  content: <TypeValue type={hostTypeNames[type]} value={value} />,
})

const trafficItems = (filters: Rule['filters']): Item[] => {
  const texts = trafficTexts(filters)
  return trafficOf(filters).map(({ type, value }, index) => ({
    text: texts[index]!,
    content: <TypeValue type={type} value={value} />,
  }))
}

/** Shows up to two items; of more, the first one and the number of others. */
function ItemsCell({ title, items }: { title: string; items: Item[] }) {
  if (items.length === 0) return <EmptyCell />
  if (items.length > 2) return <ListPlusCell title={title} items={items} />
  return (
    <span className="flex min-w-0 flex-col items-start gap-1 py-1">
      {items.map(({ text, content }) => (
        <span key={text} className="flex max-w-full min-w-0">
          {content}
        </span>
      ))}
    </span>
  )
}

export const StatusBadge = ({ status }: Pick<Rule, 'status'>) => (
  <StateBadge tone={status === 'enabled' ? 'works' : 'off'}>{statusNames[status]}</StateBadge>
)

/** Short sentences have room in a list; of a longer one, the tooltip tells all. */
function TrafficCell({ rule }: { rule: Rule }) {
  const short = firewallTraffic(rule)
  const whole = firewallTraffic(rule, 'whole')
  const off = rule.status === 'disabled'
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 py-1 whitespace-normal">
      <span
        className={cx('min-w-0 wrap-anywhere sm:first-letter:uppercase', off && 'text-tertiary')}
        {...tooltip(short === whole ? undefined : whole)}
      >
        <span className="sm:hidden">{firewallActionNames[rule.action]} </span>
        {short}
      </span>
      {off && <StatusBadge status="disabled" />}
      <NotEnforcedTag rule={rule} />
    </span>
  )
}

/** @param measured whether the engine counts packets */
export const ruleColumns = (params: VpcParams, measured: boolean): Column<Rule>[] => [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    width: 176,
    cell: ({ name }) => (
      <CellLink
        to="/projects/$project/vpcs/$vpc/firewall-rules/$rule/edit"
        params={{ ...params, rule: name }}
      >
        {name}
      </CellLink>
    ),
  },
  {
    id: 'priority',
    header: 'Priority',
    sort: 'priority',
    align: 'end',
    width: 92,
    phone: 'first',
    labelled: true,
    cell: ({ priority }) => priority,
  },
  {
    id: 'action',
    header: 'Action',
    width: 76,
    cell: ({ action }) => (
      <span className={actionLooks[action]}>{firewallActionNames[action]}</span>
    ),
  },
  {
    id: 'traffic',
    header: 'Traffic',
    phone: 'second',
    cell: (rule) => <TrafficCell rule={rule} />,
  },
  ...(measured ? [packetsColumn(params)] : []),
  {
    id: 'direction',
    header: 'Direction',
    width: 96,
    optional: true,
    cell: ({ direction }) => directionNames[direction],
  },
  {
    id: 'targets',
    header: 'Targets',
    optional: true,
    cell: ({ targets }) => <ItemsCell title="Other targets" items={targets.map(hostItem)} />,
  },
  {
    id: 'filters',
    header: 'Filters',
    optional: true,
    cell: ({ filters }) => (
      <ItemsCell
        title="Other filters"
        items={[...(filters.hosts ?? []).map(hostItem), ...trafficItems(filters)]}
      />
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: 112,
    optional: true,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { ...createdColumn, sort: 'created', optional: true },
]
