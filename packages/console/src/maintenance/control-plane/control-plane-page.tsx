import type { HealthStatus, ServerTask, TaskResult } from '@steading/api/client'
import { CLOCK_APART_ADVICE, clockShift, isClockApart } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Clock, Server } from 'lucide-react'
import { Suspense } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { POLL_MS } from '../../data/live.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { EmptyCell, Size, Truncate } from '../../ui/text.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { DateTime, TimeAgo } from '../../ui/time.tsx'
import { systemHealthQuery } from './queries.ts'

const NetworksCards = lazyPart(() => import('./networks-cards.tsx'))

const statusTones: Record<HealthStatus, StateTone> = {
  ready: 'works',
  starting: 'changing',
  stopping: 'changing',
  database_unreachable: 'failed',
  database_damaged: 'failed',
}

const results: Record<TaskResult, { tone: StateTone; label: string }> = {
  done: { tone: 'works', label: 'done' },
  failed: { tone: 'failed', label: 'failed' },
  elsewhere: { tone: 'off', label: 'at another server' },
}

const seconds = (value: number): string =>
  value < 1 ? `${Math.max(1, Math.round(value * 1000))} ms` : `${value.toFixed(1)} s`

const columns: Column<ServerTask & { id: string }>[] = [
  {
    id: 'task',
    header: 'task',
    cell: ({ name, last }) => (
      <span className="flex min-w-0 flex-col">
        <span className="first-letter:uppercase">{name}</span>
        {last?.error && <Truncate text={last.error} className="text-secondary" />}
      </span>
    ),
  },
  {
    id: 'result',
    header: 'last result',
    width: 176,
    phone: 'first',
    cell: ({ running, last }) =>
      running ? (
        <StateBadge tone="changing">running</StateBadge>
      ) : last ? (
        <StateBadge tone={results[last.result].tone}>{results[last.result].label}</StateBadge>
      ) : (
        <EmptyCell />
      ),
  },
  {
    id: 'began',
    header: 'last began',
    width: 152,
    phone: 'second',
    labelled: true,
    cell: ({ last }) =>
      last ? <TimeAgo date={last.timeBegan} caption="Began" ago /> : <EmptyCell />,
  },
  {
    id: 'took',
    header: 'took',
    width: 96,
    align: 'end',
    phone: 'second',
    labelled: true,
    cell: ({ last }) => (last ? seconds(last.seconds) : <EmptyCell />),
  },
  {
    id: 'next',
    header: 'next',
    width: 208,
    phone: 'second',
    labelled: true,
    cell: ({ timeNext }) => (timeNext ? <DateTime date={timeNext} /> : <EmptyCell />),
  },
]

/** @param seconds by which it is ahead of the clock of the database */
function ClockOfMachine({ seconds }: { seconds: number }) {
  if (!isClockApart(seconds)) return 'Agrees with the database'
  return (
    <span className="flex min-w-0 flex-col items-start gap-1">
      <StateBadge tone="failed">{clockShift(seconds)}</StateBadge>
      <span className="text-secondary first-letter:uppercase">{CLOCK_APART_ADVICE}</span>
    </span>
  )
}

/** The server that answers: its state, and what it does in the background. */
export function ControlPlanePage() {
  const health = usePrefetchedQuery(systemHealthQuery).data
  const { error, refetch } = useQuery({ ...systemHealthQuery, refetchInterval: POLL_MS })
  const hasNetworks = useCapability('systemNetworks')
  const overdue = health.overdue.map(({ kind, count }) => `${count} × ${kind.replaceAll('_', ' ')}`)
  return (
    <>
      <PageHeader title="Control Plane" icon={<Server strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="health"
          summary="The state of the server that answers this page, and its work in the background. With several servers, each page may be of another one."
        />
        <RefreshButton onRefresh={refetchShown} />
      </PageHeader>
      <div className="flex flex-col gap-6 pb-6">
        <div className="px-(--gutter)">
          <PropertiesTable columns={2}>
            <PropertiesTable.Row label="State">
              <StateBadge tone={statusTones[health.status]}>
                {health.status.replaceAll('_', ' ')}
              </StateBadge>
            </PropertiesTable.Row>
            <PropertiesTable.Row label="Version">{health.version}</PropertiesTable.Row>
            <PropertiesTable.DateRow label="Started" date={health.timeStarted} />
            <PropertiesTable.Row label="Database">
              {health.database === 'sqlite' ? 'SQLite' : 'PostgreSQL'},{' '}
              <Size bytes={health.databaseBytes} />
              {health.diskFull && ', its disk is full'}
            </PropertiesTable.Row>
            {health.clockAheadSeconds !== null && (
              <PropertiesTable.Row label="Machine clock">
                <ClockOfMachine seconds={health.clockAheadSeconds} />
              </PropertiesTable.Row>
            )}
            <PropertiesTable.Row label="Overdue work">
              {overdue.length > 0 ? overdue.join(', ') : 'None'}
            </PropertiesTable.Row>
            <PropertiesTable.Row label="Live pages">{health.eventFollowers}</PropertiesTable.Row>
          </PropertiesTable>
        </div>
        {hasNetworks && (
          <Suspense>
            <NetworksCards />
          </Suspense>
        )}
        <Card
          title="Background tasks"
          description="What this server does on its own, again and again"
        >
          <LoadedTable
            what="The background tasks"
            label="Background tasks"
            columns={columns}
            read={{
              rows: health.tasks.map((task) => ({ ...task, id: task.name })),
              error,
              refetch,
            }}
            empty={{
              icon: Clock,
              title: 'No background tasks',
              body: 'This server does nothing by itself.',
            }}
          />
        </Card>
      </div>
    </>
  )
}
