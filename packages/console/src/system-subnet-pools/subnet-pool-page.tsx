import { SUBNET_POOL_HAS_MEMBERS, isNearlyFull } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate, useSearch } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { useWhoCan } from '../access-panel/ask-access.ts'
import { invalidate, usePrefetchedQuery } from '../data/api.ts'
import { useHistoryAction } from '../history/history-action.ts'
import { VersionTag } from '../ip-pools/version-tag.tsx'
import { CapacityBar } from '../pools/capacity-bar.tsx'
import { LinkedSilos } from '../pools/linked-silos-part.ts'
import { subnetPoolKind } from '../pools/pool-kind.ts'
import { Remaining } from '../pools/remaining.tsx'
import { poolUse, type VersionUse } from '../pools/use.ts'
import { useStarAction } from '../stars/star-action.tsx'
import { StarButton } from '../stars/star-button.tsx'
import { ActionMenu } from '../ui/action-buttons.tsx'
import { Banner } from '../ui/banner.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { copyAction } from '../ui/menu-action.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { PhoneDisclosure } from '../ui/phone-disclosure.tsx'
import { PropertiesTable } from '../ui/properties-table.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { SkeletonCell } from '../ui/table.tsx'
import { QueryTabs } from '../ui/tabs.tsx'
import { subnetPoolDocs } from './docs.ts'
import { usePoolActions } from './pool-actions.tsx'
import { POLL_MS, poolQuery, membersQuery, usePoolParam, utilizationQuery } from './queries.ts'
import { Members } from './members.tsx'

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
  const star = useStarAction('system_subnet_pool')
  const history = useHistoryAction('system_subnet_pool')
  const who = useWhoCan('system_subnet_pool', undefined)
  return (
    <>
      <PageHeader
        title={pool.name}
        icon={<Boxes strokeWidth={1.5} aria-hidden />}
        star={<StarButton kind="system_subnet_pool" thing={pool} />}
      >
        <DocsPopover {...subnetPoolDocs} />
        <RefreshButton onRefresh={refresh} />
        <ActionMenu
          label="Subnet pool actions"
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
            <PropertiesTable.Row label="Addresses remaining">
              {use ? <Remaining use={use} /> : <SkeletonCell width="w-20" />}
            </PropertiesTable.Row>
            <PropertiesTable.DateRow label="Created" date={pool.timeCreated} />
            <PropertiesTable.DateRow label="Last Modified" date={pool.timeModified} />
          </PropertiesTable>
        </div>
      </PhoneDisclosure>
      <div className="flex flex-col gap-4 px-(--gutter) pb-6 empty:hidden">
        {use && isNearlyFull(use) && <NearlyFull use={use} />}
        {use && use.capacity > 0n && <CapacityBar use={use} unit="addresses" />}
      </div>
      <QueryTabs
        label="Subnet pool"
        panelClass="flex flex-col gap-6 py-6"
        selected={tab ?? 'members'}
        onSelect={(id) =>
          void navigate({
            to: '.',
            search: { tab: id === 'silos' ? id : undefined } as never,
            replace: true,
          })
        }
        tabs={[
          { id: 'members', label: 'IP members', content: <Members pool={selector} /> },
          {
            id: 'silos',
            label: 'Linked silos',
            content: <LinkedSilos kind={subnetPoolKind} pool={pool} />,
          },
        ]}
      />
      <Outlet />
    </>
  )
}

/** Before users are refused an address, operators can add a range. */
const NearlyFull = ({ use }: { use: VersionUse }) => (
  <Banner
    variant="notice"
    title={use.remaining === 0n ? 'No addresses left' : 'Few addresses left'}
  >
    {use.remaining === 0n
      ? 'Nobody gets a subnet of this pool until a member is added or subnets are given back.'
      : 'Add a member before users are refused subnets of this pool.'}
  </Banner>
)
