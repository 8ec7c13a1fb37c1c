import type { StoragePool, StoragePoolHost } from '@steading/api/client'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Database, Network } from 'lucide-react'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { ResourceHeader } from '../../page/resource-header.tsx'
import { ActionButtons, ActionMenu } from '../../ui/action-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { copyAction } from '../../ui/menu-action.ts'
import { formatNumber } from '../../ui/number.ts'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Size, Truncate } from '../../ui/text.tsx'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { usePoolActions } from './pool-actions.tsx'
import { PoolStateBadge, poolTypeLabel } from './pool-state.tsx'
import { poolQuery, usePoolParam } from './queries.ts'

const docs = {
  topic: 'storage pools',
  summary:
    'A storage pool is a place for the bytes of disks. New disks are in the default pool of their silo or of the fleet, and can be moved to another one.',
}

const hostColumns: Column<StoragePoolHost>[] = [
  { id: 'serial', header: 'host', width: 240, cell: ({ serial }) => <Truncate text={serial} /> },
  {
    id: 'state',
    header: 'state',
    width: 144,
    phone: 'first',
    cell: ({ problem }) => (
      <StateBadge tone={problem === null ? 'works' : 'failed'}>
        {problem === null ? 'Reached' : 'Out of reach'}
      </StateBadge>
    ),
  },
  {
    id: 'problem',
    header: 'reason',
    phone: 'second',
    cell: ({ problem }) => problem && <Truncate text={problem} />,
  },
]

/** The hosts that were asked; a pool that all hosts reach by itself has none. */
function HostsCard({ hosts }: Pick<StoragePool, 'hosts'>) {
  if (hosts.length === 0) return null
  return (
    <Card title="Hosts" description="Instances run only where all pools of their disks are reached">
      <LoadedTable
        what="The hosts"
        label="Hosts"
        columns={hostColumns}
        read={{
          rows: hosts.map((host) => ({ id: host.serial, ...host })),
          error: null,
          refetch: refetchShown,
        }}
        empty={{ icon: Network, title: 'No hosts', body: 'No hosts were asked' }}
      />
    </Card>
  )
}

export function PoolPage() {
  const { data: pool } = usePrefetchedQuery(poolQuery(usePoolParam()))
  const navigate = useNavigate()
  const actions = usePoolActions(() => navigate({ to: '/system/inventory/storage-pools' }))(pool)
  const star = useStarAction('storage_pool')
  const history = useHistoryAction('storage_pool')
  const who = useWhoCan('storage_pool', undefined)
  const { Row, CopyRow, DateRow, DescriptionRow } = PropertiesTable
  return (
    <>
      <ResourceHeader
        title={pool.name}
        icon={<Database strokeWidth={1.5} aria-hidden />}
        kind="storage_pool"
        thing={pool}
        meta={
          <>
            <PoolStateBadge {...pool} />
            {pool.isDefault && <Tag>default</Tag>}
          </>
        }
      >
        <DocsPopover {...docs} />
        <RefreshButton onRefresh={refetchShown} />
        <ActionButtons
          variant="secondary"
          actions={actions.filter(({ danger }) => !danger).slice(0, 2)}
        />
        <ActionMenu
          label="Storage pool actions"
          actions={[
            copyAction('Copy ID', pool.id),
            ...star(pool),
            ...history(pool),
            ...who(pool),
            ...actions.slice(2),
          ]}
        />
      </ResourceHeader>
      <div className="flex flex-col gap-6 pb-6">
        <div className="flex flex-col gap-4 px-(--gutter)">
          {pool.problem !== null && (
            <Banner variant="error" title="The storage pool cannot be used">
              {pool.problem}. It takes no new disks until this is mended.
            </Banner>
          )}
          <PropertiesTable columns={2}>
            <DescriptionRow description={pool.description} />
            <Row label="Type">{poolTypeLabel[pool.type]}</Row>
            {pool.source !== null && <CopyRow label="Source" text={pool.source} />}
            {pool.path !== null && <CopyRow label="Directory" text={pool.path} />}
            <Row label="Disks">{formatNumber(pool.disks)}</Row>
            <Row label="Provisioned">
              <Size bytes={pool.provisioned} />
            </Row>
            <Row label="Size">{pool.size !== null && <Size bytes={pool.size} />}</Row>
            {pool.free !== null && (
              <Row label="Free on its file system">
                <Size bytes={pool.free} />
              </Row>
            )}
            {pool.timeChecked && <DateRow label="Last checked" date={pool.timeChecked} />}
            <DateRow label="Added" date={pool.timeCreated} />
          </PropertiesTable>
        </div>
        <HostsCard {...pool} />
      </div>
      <Outlet />
    </>
  )
}
