import type { SubnetPoolMember } from '@steading/api/client'
import { SUBNET_POOL_HAS_MEMBERS } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Plus, Boxes } from 'lucide-react'
import { whenReread } from '../../data/api.ts'
import { createdColumn } from '../../page/columns.tsx'
import { type Create, CreateButton, useCreate } from '../../page/create-action.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { pathTo } from '../../data/addresses.ts'
import { usePages } from '../../page/use-pages.ts'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { Truncate, Mono } from '../../ui/text.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { membersQuery, subnetPoolKind, usePoolParam } from '../pools/pool-kind.ts'
import { PoolPage } from '../pools/pool-page.tsx'

const columns: Column<SubnetPoolMember>[] = [
  {
    id: 'subnet',
    header: 'Subnet',
    cell: ({ subnet }) => (
      <span className="font-mono text-xs tracking-tight">
        <Truncate text={subnet} />
      </span>
    ),
  },
  {
    id: 'min',
    header: 'Min prefix length',
    width: 160,
    phone: 'second',
    cell: ({ minPrefixLength }) => (
      <>
        <span className="sm:hidden">from /</span>
        {minPrefixLength}
      </>
    ),
  },
  {
    id: 'max',
    header: 'Max prefix length',
    width: 160,
    phone: 'second',
    cell: ({ maxPrefixLength }) => (
      <>
        <span className="sm:hidden">to /</span>
        {maxPrefixLength}
      </>
    ),
  },
  { ...createdColumn, sort: undefined, phone: 'second' },
]

function useMemberActions(pool: string): (row: SubnetPoolMember) => MenuAction[] {
  const remove = useApiAction('systemSubnetPoolMemberRemove', { onSuccess: whenReread })
  return ({ id, subnet }) => [
    copyAction('Copy ID', id),
    {
      label: 'Remove',
      calls: 'systemSubnetPoolMemberRemove',
      danger: true,
      onAction: () =>
        confirmAction({
          title: 'Remove member',
          errorTitle: 'Could not remove member',
          danger: true,
          body: (
            <>
              Are you sure you want to remove subnet <Mono>{subnet}</Mono> from the pool? This fails
              while external subnets of it are allocated.
            </>
          ),
          ...remove({ path: { pool }, body: { subnet } }),
        }),
    },
  ]
}

/** The members of a pool. */
export function Members({ pool }: { pool: string }) {
  const { pagination, ...read } = usePages<SubnetPoolMember>((token) => membersQuery(pool, token))
  const actions = useMemberActions(pool)
  const create: Create = {
    label: 'Add member',
    icon: Plus,
    variant: 'secondary',
    calls: 'systemSubnetPoolMemberAdd',
    path: pathTo('/system/networking/subnet-pools/$pool/members-add', { pool }),
  }
  useCreate(create)
  return (
    <Card
      title="Members"
      description="The addresses that subnets of the pool are allocated from"
      actions={<CreateButton {...create} />}
    >
      <LoadedTable
        what="The members"
        label="Members"
        columns={columns}
        read={read}
        actions={actions}
        skeletonRows={2}
        empty={{
          icon: Boxes,
          title: 'No members',
          body: 'Add a member to see it here',
          action: <CreateButton {...create} icon={undefined} />,
        }}
      />
      <Pagination {...pagination} />
    </Card>
  )
}

export function SubnetPoolPage() {
  const pool = usePoolParam()
  const members = useQuery(membersQuery(pool)).data?.items
  return (
    <PoolPage
      kind={subnetPoolKind}
      contents={{ id: 'members', label: 'Members', content: <Members pool={pool} /> }}
      cannotDelete={members?.length ? SUBNET_POOL_HAS_MEMBERS : undefined}
    />
  )
}
