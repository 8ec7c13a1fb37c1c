import type { IpPoolRange } from '@steading/api/client'
import { IP_POOL_HAS_RANGES } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Plus, Grid3x3 } from 'lucide-react'
import { whenReread } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { createdColumn } from '../../page/columns.tsx'
import { type Create, CreateButton, useCreate } from '../../page/create-action.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { pathTo } from '../../data/addresses.ts'
import { usePages } from '../../page/use-pages.ts'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { Truncate, Mono } from '../../ui/text.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { rangesQuery, ipPoolKind, usePoolParam } from '../pools/pool-kind.ts'
import { PoolPage } from '../pools/pool-page.tsx'

const Address = ({ text }: { text: string }) => (
  <span className="font-mono text-xs tracking-tight">
    <Truncate text={text} />
  </span>
)

const columns: Column<IpPoolRange>[] = [
  { id: 'first', header: 'First', cell: ({ range }) => <Address text={range.first} /> },
  {
    id: 'last',
    header: 'Last',
    phone: 'second',
    cell: ({ range }) => (
      <span className="flex min-w-0 gap-1">
        <span className="sm:hidden">to</span>
        <Address text={range.last} />
      </span>
    ),
  },
  { ...createdColumn, sort: undefined, phone: 'second' },
]

function useRangeActions(pool: string): (row: IpPoolRange) => MenuAction[] {
  const remove = useApiAction('systemIpPoolRangeRemove', { onSuccess: whenReread })
  return ({ id, range }) => [
    copyAction('Copy ID', id),
    {
      label: 'Remove',
      calls: 'systemIpPoolRangeRemove',
      danger: true,
      onAction: () =>
        confirmAction({
          title: 'Remove range',
          errorTitle: 'Could not remove range',
          danger: true,
          body: (
            <>
              Are you sure you want to remove range{' '}
              <Mono>
                {range.first}–{range.last}
              </Mono>{' '}
              from the pool? This fails while addresses of the range are in use.
            </>
          ),
          ...remove({ path: { pool }, body: { first: range.first, last: range.last } }),
        }),
    },
  ]
}

/** The ranges of a pool. */
export function Ranges({ pool }: { pool: string }) {
  const { pagination, ...read } = usePages<IpPoolRange>((token) => rangesQuery(pool, token))
  const actions = useRangeActions(pool)
  const create: Create = {
    label: 'Add range',
    icon: Plus,
    variant: 'secondary',
    calls: 'systemIpPoolRangeAdd',
    path: pathTo('/system/networking/ip-pools/$pool/ranges-add', { pool }),
  }
  useCreate(create)
  return (
    <Card
      title="IP ranges"
      description="The addresses of the pool"
      actions={<CreateButton {...create} />}
    >
      <LoadedTable
        what="The ranges"
        label="IP ranges"
        columns={columns}
        read={read}
        actions={actions}
        skeletonRows={2}
        empty={{
          icon: Grid3x3,
          title: 'No IP ranges',
          body: 'Add a range to see it here',
          action: <CreateButton {...create} icon={undefined} />,
        }}
      />
      <Pagination {...pagination} />
    </Card>
  )
}

const Addresses = lazyPart(() => import('./addresses.tsx').then((m) => ({ default: m.Addresses })))

export function IpPoolPage() {
  const pool = usePoolParam()
  const ranges = useQuery(rangesQuery(pool)).data?.items
  const addresses = {
    id: 'addresses',
    label: 'Addresses',
    content: <Addresses pool={pool} />,
  }
  return (
    <PoolPage
      kind={ipPoolKind}
      contents={{ id: 'ranges', label: 'IP ranges', content: <Ranges pool={pool} /> }}
      others={useCapability('lists') ? [addresses] : []}
      cannotDelete={ranges?.length ? IP_POOL_HAS_RANGES : undefined}
    />
  )
}
