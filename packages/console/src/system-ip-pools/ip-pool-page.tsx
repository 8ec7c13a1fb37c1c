import { IP_POOL_HAS_RANGES, isNearlyFull } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate, useSearch } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import { useWhoCan } from '../access-panel/ask-access.ts'
import { invalidate, usePrefetchedQuery } from '../data/api.ts'
import { useCapability } from '../data/capabilities.ts'
import { useHistoryAction } from '../history/history-action.ts'
import { VersionTag } from '../ip-pools/version-tag.tsx'
import { CapacityBar } from '../pools/capacity-bar.tsx'
import { LinkedSilos } from '../pools/linked-silos-part.ts'
import { ipPoolKind } from '../pools/pool-kind.ts'
import { Remaining } from '../pools/remaining.tsx'
import { poolUse, type VersionUse } from '../pools/use.ts'
import { useStarAction } from '../stars/star-action.tsx'
import { StarButton } from '../stars/star-button.tsx'
import { ActionMenu } from '../ui/action-buttons.tsx'
import { Banner } from '../ui/banner.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { lazyPart } from '../ui/lazy-part.ts'
import { copyAction } from '../ui/menu-action.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { PhoneDisclosure } from '../ui/phone-disclosure.tsx'
import { PropertiesTable } from '../ui/properties-table.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { SkeletonCell } from '../ui/table.tsx'
import { QueryTabs } from '../ui/tabs.tsx'
import { Tag } from '../ui/tag.tsx'
import { ipPoolDocs } from './docs.ts'
import { usePoolActions } from './pool-actions.tsx'
import { POLL_MS, poolQuery, rangesQuery, usePoolParam, utilizationQuery } from './queries.ts'
import { Ranges } from './ranges.tsx'

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
  const star = useStarAction('system_ip_pool')
  const history = useHistoryAction('system_ip_pool')
  const who = useWhoCan('system_ip_pool', undefined)
  return (
    <>
      <PageHeader
        title={pool.name}
        icon={<Waypoints strokeWidth={1.5} aria-hidden />}
        star={<StarButton kind="system_ip_pool" thing={pool} />}
      >
        <DocsPopover {...ipPoolDocs} />
        <RefreshButton onRefresh={refresh} />
        <ActionMenu
          label="IP pool actions"
          actions={[
            copyAction('Copy ID', pool.id),
            ...star(pool),
            ...history(pool),
            ...who(pool),
            ...actions(pool),
          ]}
        />
      </PageHeader>
      <PhoneDisclosure label="Details">
        <div className="px-(--gutter) pb-5">
          <PropertiesTable columns={2} className="md:grid-flow-col md:grid-rows-3">
            <PropertiesTable.IdRow id={pool.id} />
            <PropertiesTable.DescriptionRow description={pool.description} />
            <PropertiesTable.Row label="IP version">
              <VersionTag version={pool.ipVersion} />
            </PropertiesTable.Row>
            <PropertiesTable.Row label="Type">
              <Tag>{pool.poolType}</Tag>
            </PropertiesTable.Row>
            <PropertiesTable.Row label="IPs remaining">
              {use ? <Remaining use={use} /> : <SkeletonCell width="w-20" />}
            </PropertiesTable.Row>
            <PropertiesTable.DateRow label="Created" date={pool.timeCreated} />
          </PropertiesTable>
        </div>
      </PhoneDisclosure>
      <div className="flex flex-col gap-4 px-(--gutter) pb-6 empty:hidden">
        {use && isNearlyFull(use) && <NearlyFull use={use} />}
        {use && use.capacity > 0n && <CapacityBar use={use} unit="IPs" />}
      </div>
      <QueryTabs
        label="IP pool"
        panelClass="flex flex-col gap-6 py-6"
        selected={tab ?? 'ranges'}
        onSelect={(id) =>
          void navigate({
            to: '.',
            search: { tab: id === 'ranges' ? undefined : id } as never,
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
      <Outlet />
    </>
  )
}

/** Before users are refused an address, operators can add a range. */
const NearlyFull = ({ use }: { use: VersionUse }) => (
  <Banner variant="notice" title={use.remaining === 0n ? 'No IPs left' : 'Few IPs left'}>
    {use.remaining === 0n
      ? 'Nobody gets an address of this pool until a range is added or addresses are given back.'
      : 'Add a range before users are refused addresses of this pool.'}
  </Banner>
)
