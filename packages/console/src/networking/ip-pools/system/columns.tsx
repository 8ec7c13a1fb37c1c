import type { IpPool, IpPoolUtilization } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { VersionTag } from '../../pools/pool-option.tsx'
import { createdColumn, descriptionColumn } from '../../../page/columns.tsx'
import { Remaining, poolUse } from '../../pools/capacity.tsx'
import type { Column } from '../../../ui/column.ts'
import { CellLink } from '../../../ui/link.tsx'
import { SkeletonCell } from '../../../ui/table.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { EmptyCell } from '../../../ui/text.tsx'
import { utilizationQuery } from './queries.ts'

/** Rows of a searched list say what is left; control planes without those are asked for each pool. */
export type PoolRow = IpPool & { utilization?: IpPoolUtilization }

function AskedRemaining({ pool }: { pool: IpPool }) {
  const { data, isPending } = useQuery(utilizationQuery(pool.id))
  if (!data) return isPending ? <SkeletonCell width="w-20" /> : <EmptyCell />
  return <Remaining use={poolUse(data, pool.ipVersion)} />
}

export const poolColumns: Column<PoolRow>[] = [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink to="/system/networking/ip-pools/$pool" params={{ pool: name }}>
        {name}
      </CellLink>
    ),
  },
  descriptionColumn,
  {
    id: 'version',
    header: 'Version',
    width: 96,
    phone: 'first',
    cell: ({ ipVersion }) => <VersionTag version={ipVersion} />,
  },
  {
    id: 'type',
    header: 'Type',
    width: 112,
    phone: 'second',
    cell: ({ poolType }) => <Tag>{poolType}</Tag>,
  },
  {
    id: 'remaining',
    header: 'IPs REMAINING',
    width: 184,
    phone: 'second',
    labelled: true,
    cell: (pool) =>
      pool.utilization ? (
        <Remaining use={poolUse(pool.utilization, pool.ipVersion)} />
      ) : (
        <AskedRemaining pool={pool} />
      ),
  },
  createdColumn,
]
