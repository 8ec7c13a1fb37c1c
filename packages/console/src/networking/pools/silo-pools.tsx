import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { descriptionColumn } from '../../page/columns.tsx'
import { type Create, CreateButton, useCreate } from '../../page/create-action.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { pathTo } from '../../data/addresses.ts'
import { useSiloParam, siloTabs } from '../../tenancy/silos/queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { CellLink } from '../../ui/link.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { Tag } from '../../ui/tag.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { useLinkActions } from './link-actions.tsx'
import {
  linkablePoolsQuery,
  type Pool,
  type PoolKind,
  poolsOfSiloQuery,
  ipPoolKind,
  subnetPoolKind,
} from './pool-kind.ts'

const LinkPoolModal = lazyPart(() => import('./link-pool.tsx'))

type Row = Pool & { isDefault: boolean }

function columnsOf(kind: PoolKind): Column<Row>[] {
  const typed = kind.words === 'IP pool'
  const columns: (Column<Row> | false)[] = [
    {
      id: 'name',
      header: 'name',
      cell: ({ id, name, isDefault }) => (
        <span className="flex min-w-0 items-center gap-2">
          <CellLink to={pathTo(kind.paths.page, { pool: id }) as '/'}>{name}</CellLink>
          {isDefault && (
            <span {...tooltip(`Default for version${typed ? ' and type' : ''}`)}>
              <Tag>default</Tag>
            </span>
          )}
        </span>
      ),
    },
    { ...descriptionColumn, phone: 'second' },
    {
      id: 'version',
      header: 'Version',
      width: 96,
      phone: 'first',
      cell: ({ ipVersion }) => <Tag>{ipVersion}</Tag>,
    },
    typed && {
      id: 'type',
      header: 'Type',
      width: 120,
      phone: 'first',
      cell: ({ poolType }) => <Tag>{poolType}</Tag>,
    },
  ]
  return columns.filter((column) => column !== false)
}

/** The pools that are linked to a silo. */
export function SiloPools({ kind, silo }: { kind: PoolKind; silo: string }) {
  const { data, error, refetch } = useQuery(poolsOfSiloQuery(kind, silo))
  const any = useQuery(linkablePoolsQuery(kind)).data?.items.length !== 0
  const columns = useMemo(() => columnsOf(kind), [kind])
  const actions = useLinkActions(kind, 'silo')
  const [linking, setLinking] = useState(false)
  const link: Create = {
    label: 'Link pool',
    calls: kind.link,
    variant: 'secondary',
    onAction: () => setLinking(true),
  }
  useCreate(link)
  return (
    <Card
      title={`${kind.Words}s`}
      description={`Pools that supply the ${kind.gives} of the silo`}
      actions={<CreateButton {...link} />}
    >
      <LoadedTable
        what={`The ${kind.words}s`}
        label={`${kind.Words}s`}
        columns={columns}
        read={{ rows: data?.items as Row[] | undefined, error, refetch }}
        actions={(pool: Row) => [
          copyAction('Copy ID', pool.id),
          ...actions({ pool, silo, isDefault: pool.isDefault }),
        ]}
        skeletonRows={2}
        empty={{
          icon: kind.icon,
          title: `No linked ${kind.words}s`,
          body: any
            ? `Link ${kind.article} ${kind.words} to this silo to see it here`
            : `Create and link ${kind.article} ${kind.words} to see it here`,
          action: any ? (
            <CreateButton {...link} />
          ) : (
            <CreateButton
              label={kind.creation.quickLabel}
              variant="secondary"
              calls={kind.create}
              path={kind.creation.path}
            />
          ),
        }}
      />
      <DialogPart onDismiss={() => setLinking(false)}>
        {linking && <LinkPoolModal kind={kind} silo={silo} onDismiss={() => setLinking(false)} />}
      </DialogPart>
    </Card>
  )
}

export const SiloIpPoolsTab = () => (
  <TabPanel of={siloTabs} tab="IP pools">
    <SiloPools kind={ipPoolKind} silo={useSiloParam()} />
  </TabPanel>
)

export const SiloSubnetPoolsTab = () => (
  <TabPanel of={siloTabs} tab="Subnet pools">
    <SiloPools kind={subnetPoolKind} silo={useSiloParam()} />
  </TabPanel>
)
