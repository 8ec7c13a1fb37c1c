import type { AuditEntry } from '@steading/api/client'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download, Pause, Radio, ScrollText } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { seed } from '../../data/api.ts'
import { useCurrentUser, useFleetViewer } from '../../data/session.ts'
import { usePages } from '../../page/use-pages.ts'
import { PagedTable } from '../../page/loaded-table.tsx'
import { Button } from '../../ui/button.tsx'
import { CellButton } from '../../ui/cells.tsx'
import type { Column } from '../../ui/column.ts'
import { TextLink } from '../../ui/link.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { Mono } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { actorText, ResultBadge, sentenceOf, targetText } from '../../workspace/history/entries.tsx'
import { EntryPanel } from './entry-panel.tsx'
import { exportEntries, auditEntriesQuery } from './entries.ts'
import { FilterBar } from './filter-bar.tsx'
import {
  type AuditAddress,
  type AuditFilters,
  type AuditSearch,
  filtersOf,
  rangeOf,
} from './filters.ts'
import { samePage } from '../../data/addresses.ts'

/** Polling interval while following the log, in milliseconds. */
const FOLLOW_MS = 2_000

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

/** The silo's audit log. */
export function AuditLogPage() {
  const { siloId } = useCurrentUser()
  const fleetViewer = useFleetViewer()
  return (
    <AuditLog title="Audit Log" silo={siloId}>
      {fleetViewer && <TextLink to="/system/audit-log">Audit log of the fleet</TextLink>}
    </AuditLog>
  )
}

/** The fleet's audit log. */
export const SystemAuditLogPage = () => <AuditLog title="Audit log of the fleet" />

type AuditLogProps = { title: string; silo?: string; children?: ReactNode }

function AuditLog({ title, silo, children }: AuditLogProps) {
  const address = useSearch({ strict: false }) as AuditAddress
  const navigate = useNavigate()
  const key = JSON.stringify({ ...address, entry: undefined })
  const search = useMemo(() => JSON.parse(key) as AuditSearch, [key])
  const [now, setNow] = useState(() => Date.now())
  const filters = useMemo(() => ({ ...filtersOf(search, now), silo }), [search, now, silo])
  const [following, setFollowing] = useState(true)
  const go = (to: AuditAddress, replace: boolean) => {
    const left = Object.fromEntries(Object.entries(to).filter(([, value]) => value))
    void navigate({ ...samePage(left), replace })
  }
  const change = (changes: AuditSearch) => {
    setNow(Date.now())
    go({ ...search, ...changes }, true)
  }
  const follows = following && rangeOf(search) !== 'between'
  return (
    <>
      <PageHeader title={title} icon={<ScrollText strokeWidth={1.5} aria-hidden />} meta={children}>
        <Button
          aria-pressed={follows}
          disabledReason={
            rangeOf(search) === 'between' ? 'A range that has an end does not grow' : undefined
          }
          icon={follows ? <Pause {...icon} /> : <Radio {...icon} />}
          onClick={() => setFollowing(!following)}
        >
          {follows ? 'Pause' : 'Follow'}
        </Button>
        <Menu
          label="Export"
          variant="secondary"
          size="md"
          trigger={
            <>
              <Download {...icon} />
              Export
            </>
          }
          items={[
            { label: 'CSV', onAction: () => void exportEntries('csv', filters) },
            { label: 'JSON lines', onAction: () => void exportEntries('json_lines', filters) },
          ]}
        />
        <RefreshButton onRefresh={async () => setNow(Date.now())} />
      </PageHeader>
      <FilterBar search={search} onChange={change} />
      <Entries
        key={key}
        filters={filters}
        follows={follows}
        onFilter={change}
        onShow={(entry) => go({ ...search, entry }, false)}
      />
      {address.entry && <EntryPanel id={address.entry} onDismiss={() => go(search, true)} />}
    </>
  )
}

const columnsOf = (show: (entry: AuditEntry) => void): Column<AuditEntry>[] => [
  {
    id: 'operation',
    header: 'operation',
    least: 280,
    cell: (entry) => <CellButton onClick={() => show(entry)}>{sentenceOf(entry)}</CellButton>,
  },
  {
    id: 'result',
    header: 'result',
    width: 128,
    phone: 'first',
    cell: ({ result }) => <ResultBadge result={result} />,
  },
  {
    id: 'target',
    header: 'target',
    width: 168,
    cell: ({ target }) => target && targetText(target),
  },
  { id: 'user', header: 'user', width: 128, phone: 'second', cell: actorText },
  {
    id: 'source',
    header: 'source address',
    width: 136,
    cell: ({ sourceIp }) => sourceIp && <Mono>{sourceIp}</Mono>,
  },
  {
    id: 'time',
    header: 'time',
    width: 180,
    phone: 'second',
    cell: ({ timeCompleted }) => <DateTime date={timeCompleted} />,
  },
]

type EntriesProps = {
  filters: AuditFilters
  follows: boolean
  onFilter: (changes: AuditSearch) => void
  onShow: (id: string) => void
}

function Entries({ filters, follows, onFilter, onShow }: EntriesProps) {
  const show = (entry: AuditEntry) => {
    seed('auditEntryView', { path: { entry: entry.id } }, entry)
    onShow(entry.id)
  }
  const columns = columnsOf(show)
  const read = usePages<AuditEntry>((pageToken) => ({
    ...auditEntriesQuery(filters, pageToken),
    refetchInterval: follows && pageToken === undefined && FOLLOW_MS,
  }))
  const actions = (entry: AuditEntry): MenuAction[] => [
    { label: 'View', local: true, onAction: () => show(entry) },
    {
      label: 'Only this user',
      disabledReason: entry.user ? undefined : 'This entry has no user',
      onAction: () => onFilter({ user: entry.user!.id }),
    },
    { label: 'Only this operation', onAction: () => onFilter({ operation: entry.operationId }) },
    {
      label: 'Only this target',
      disabledReason: entry.target?.id ? undefined : 'This entry has no target',
      onAction: () => onFilter({ target: entry.target!.id! }),
    },
  ]
  return (
    <PagedTable
      what="The audit log"
      label="Audit log"
      columns={columns}
      read={read}
      actions={actions}
      empty={{
        icon: ScrollText,
        title: 'No entries',
        body: 'No change in this time matches. Choose a longer time or clear the filters.',
      }}
    />
  )
}
