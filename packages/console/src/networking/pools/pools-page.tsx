import type { IpPool, IpPoolUtilization, SubnetPool } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { poolDocs, usePoolActions } from './pool-actions.tsx'
import {
  ipPoolKind,
  ipPoolListDefinition,
  POLL_MS,
  type PoolKind,
  subnetPoolKind,
  subnetPoolListDefinition,
  type Pool,
  utilizationQuery,
} from './pool-kind.ts'
import type { ListColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { SkeletonCell } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { poolUse, Remaining } from './capacity.tsx'
import { VersionTag } from './pool-option.tsx'

/** A pool; rows of searched lists include its utilization, otherwise it is read for each pool. */
type PoolRow = (IpPool | SubnetPool) & { utilization?: IpPoolUtilization }

function AskedRemaining({ kind, pool }: { kind: PoolKind; pool: Pool }) {
  const { data, isPending } = useQuery(utilizationQuery(kind, pool.id))
  if (!data) return isPending ? <SkeletonCell width="w-20" /> : <EmptyCell />
  return <Remaining use={poolUse(data, pool.ipVersion)} />
}

const typeColumn: Column<PoolRow> = {
  id: 'type',
  header: 'Type',
  width: 112,
  phone: 'second',
  cell: (pool) => 'poolType' in pool && <Tag>{pool.poolType}</Tag>,
}

const poolColumns = (kind: PoolKind): ListColumn<PoolRow>[] => [
  'name',
  'description',
  {
    id: 'version',
    header: 'Version',
    width: 96,
    phone: 'first',
    cell: ({ ipVersion }) => <VersionTag version={ipVersion} />,
  },
  ...(kind.words === 'IP pool' ? [typeColumn] : []),
  {
    id: 'remaining',
    header: kind.words === 'IP pool' ? 'IPs REMAINING' : 'Addresses remaining',
    width: 184,
    phone: 'second',
    labelled: true,
    cell: (pool) =>
      pool.utilization ? (
        <Remaining use={poolUse(pool.utilization, pool.ipVersion)} />
      ) : (
        <AskedRemaining kind={kind} pool={pool} />
      ),
  },
  'created',
]

/** @param list not a property of the kind, which the start does not need as a whole */
const poolsOf = (kind: PoolKind, list: typeof ipPoolListDefinition) =>
  resourceList({
    list,
    noun: kind.words,
    icon: kind.icon,
    docs: poolDocs[kind.thing],
    path: kind.paths.list,
    item: kind.paths.page,
    columns: poolColumns(kind),
    bulk: true,
    create: { ...kind.creation, calls: kind.create },
    empty: { create: kind.creation.quickLabel },
    interval: POLL_MS,
  })

const ipPools = poolsOf(ipPoolKind, ipPoolListDefinition)
const subnetPools = poolsOf(subnetPoolKind, subnetPoolListDefinition)

export const IpPoolsPage = () => (
  <ResourceList of={ipPools} within={ipPoolKind.listed} actions={usePoolActions(ipPoolKind)} />
)
export const SubnetPoolsPage = () => (
  <ResourceList of={subnetPools} actions={usePoolActions(subnetPoolKind)} />
)
