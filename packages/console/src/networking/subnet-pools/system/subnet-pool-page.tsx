import { SUBNET_POOL_HAS_MEMBERS } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate, useSearch } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { invalidate, usePrefetchedQuery } from '../../../data/api.ts'
import { Forecasts } from '../../../observability/forecasts/forecasts-part.tsx'
import { subnetPoolForecastQuery } from '../../../observability/forecasts/queries.ts'
import { LinkedSilos } from '../../pools/linked-silos-part.ts'
import { subnetPoolKind } from '../../pools/pool-kind.ts'
import { PoolHead } from '../../pools/pool-head.tsx'
import { poolUse } from '../../pools/capacity.tsx'
import { PropertiesTable } from '../../../ui/properties-table.tsx'
import { QueryTabs } from '../../../ui/tabs.tsx'
import { subnetPoolDocs } from './docs.ts'
import { usePoolActions } from './pool-actions.tsx'
import { POLL_MS, poolQuery, membersQuery, usePoolParam, utilizationQuery } from './queries.ts'
import { Members } from './members.tsx'
import { samePage } from '../../../data/same-page.ts'

const refresh = () =>
  invalidate(
    'systemSubnetPoolView',
    'systemSubnetPoolMemberList',
    'systemSubnetPoolSiloList',
    'systemSubnetPoolUtilizationView',
  )

export function SubnetPoolPage() {
  const selector = usePoolParam()
  const { data: pool } = usePrefetchedQuery(poolQuery(selector))
  const { tab } = useSearch({
    from: '/shell/system/subnet-pools-crumb/system/networking/subnet-pools/$pool',
  })
  const navigate = useNavigate()
  const utilization = useQuery({ ...utilizationQuery(selector), refetchInterval: POLL_MS }).data
  const use = utilization && poolUse(utilization, pool.ipVersion)
  const members = useQuery(membersQuery(selector)).data?.items
  const actions = usePoolActions({
    cannotDelete: members?.length ? SUBNET_POOL_HAS_MEMBERS : undefined,
    onDeleted: () => navigate({ to: '/system/networking/subnet-pools' }),
  })
  return (
    <>
      <PoolHead
        kind={subnetPoolKind}
        pool={pool}
        icon={Boxes}
        docs={subnetPoolDocs}
        actions={actions(pool)}
        onRefresh={refresh}
        use={use}
        after={<PropertiesTable.DateRow label="Last Modified" date={pool.timeModified} />}
      />
      <QueryTabs
        label="Subnet pool"
        panelClass="flex flex-col gap-6 py-6"
        selected={tab ?? 'members'}
        onSelect={(id) =>
          void navigate({
            ...samePage({ tab: id === 'silos' ? id : undefined }),
            replace: true,
          })
        }
        tabs={[
          { id: 'members', label: 'Members', content: <Members pool={selector} /> },
          {
            id: 'silos',
            label: 'Linked silos',
            content: <LinkedSilos kind={subnetPoolKind} pool={pool} />,
          },
        ]}
      />
      <div className="pb-6">
        <Forecasts query={subnetPoolForecastQuery(selector)} />
      </div>
      <Outlet />
    </>
  )
}
