import type { ReactNode } from 'react'
import { createdColumn } from '../../page/columns.tsx'
import { ListPlusCell } from '../../ui/cells.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import type { VpcParams } from '../vpcs/queries.ts'
import { NotEnforcedTag } from './not-enforced.tsx'
import type { Rule } from './rules.ts'
import {
  actionLooks,
  actionNames,
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

export const ruleColumns = (params: VpcParams): Column<Rule>[] => [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    width: 192,
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
    width: 104,
    phone: 'second',
    labelled: true,
    cell: ({ priority }) => priority,
  },
  {
    id: 'action',
    header: 'Action',
    width: 76,
    phone: 'second',
    cell: ({ action }) => <span className={actionLooks[action]}>{actionNames[action]}</span>,
  },
  {
    id: 'direction',
    header: 'Direction',
    width: 96,
    phone: 'second',
    cell: ({ direction }) => directionNames[direction],
  },
  {
    id: 'targets',
    header: 'Targets',
    cell: ({ targets }) => <ItemsCell title="Other targets" items={targets.map(hostItem)} />,
  },
  {
    id: 'filters',
    header: 'Filters',
    phone: 'second',
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
    phone: 'first',
    cell: (rule) => (
      <span className="flex flex-col items-start gap-1 py-1">
        <StatusBadge status={rule.status} />
        <NotEnforcedTag rule={rule} />
      </span>
    ),
  },
  { ...createdColumn, sort: 'created' },
]
