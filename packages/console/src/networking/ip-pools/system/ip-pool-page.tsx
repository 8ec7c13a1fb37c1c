import { IP_POOL_HAS_RANGES } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate, useSearch } from '@tanstack/react-router'
import { Grid3x3 } from 'lucide-react'
import { invalidate, usePrefetchedQuery } from '../../../data/api.ts'
import { useCapability } from '../../../data/capabilities.ts'
import { Forecasts } from '../../../observability/forecasts/forecasts-part.tsx'
import { ipPoolForecastQuery } from '../../../observability/forecasts/queries.ts'
import { LinkedSilos } from '../../pools/linked-silos-part.ts'
import { ipPoolKind } from '../../pools/pool-kind.ts'
import { PoolHead } from '../../pools/pool-head.tsx'
import { poolUse } from '../../pools/capacity.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { PropertiesTable } from '../../../ui/properties-table.tsx'
import { QueryTabs } from '../../../ui/tabs.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { ipPoolDocs } from './docs.ts'
import { usePoolActions } from './pool-actions.tsx'
import { POLL_MS, poolQuery, rangesQuery, usePoolParam, utilizationQuery } from './queries.ts'
import { Ranges } from './ranges.tsx'
import { samePage } from '../../../data/same-page.ts'

const Addresses = lazyPart(() => import('./addresses.tsx').then((m) => ({ default: m.Addresses })))

const refresh = () =>
  invalidate(
    'systemIpPoolView',
    'systemIpPoolRangeList',
    'systemIpPoolSiloList',
    'systemIpPoolUtilizationView',
    'systemIpPoolAddressList',
  )

export function IpPoolPage() {
  const selector = usePoolParam()
  const { data: pool } = usePrefetchedQuery(poolQuery(selector))
  const { tab } = useSearch({
    from: '/shell/system/ip-pools-crumb/system/networking/ip-pools/$pool',
  })
  const navigate = useNavigate()
  const listed = useCapability('lists')
  const utilization = useQuery({ ...utilizationQuery(selector), refetchInterval: POLL_MS }).data
  const use = utilization && poolUse(utilization, pool.ipVersion)
  const ranges = useQuery(rangesQuery(selector)).data?.items
  const actions = usePoolActions({
    cannotDelete: ranges?.length ? IP_POOL_HAS_RANGES : undefined,
    onDeleted: () => navigate({ to: '/system/networking/ip-pools' }),
  })
  return (
    <>
      <PoolHead
        kind={ipPoolKind}
        pool={pool}
        icon={Grid3x3}
        docs={ipPoolDocs}
        actions={actions(pool)}
        onRefresh={refresh}
        use={use}
        before={
          <PropertiesTable.Row label="Type">
            <Tag>{pool.poolType}</Tag>
          </PropertiesTable.Row>
        }
      />
      <QueryTabs
        label="IP pool"
        panelClass="flex flex-col gap-6 py-6"
        selected={tab ?? 'ranges'}
        onSelect={(id) =>
          void navigate({
            ...samePage({ tab: id === 'ranges' ? undefined : id }),
            replace: true,
          })
        }
        tabs={[
          { id: 'ranges', label: 'IP ranges', content: <Ranges pool={selector} /> },
          {
            id: 'silos',
            label: 'Linked silos',
            content: <LinkedSilos kind={ipPoolKind} pool={pool} />,
          },
          ...(listed
            ? [
                {
                  id: 'addresses',
                  label: 'Addresses',
                  content: <Addresses pool={selector} />,
                },
              ]
            : []),
        ]}
      />
      <div className="pb-6">
        <Forecasts query={ipPoolForecastQuery(selector)} />
      </div>
      <Outlet />
    </>
  )
}
