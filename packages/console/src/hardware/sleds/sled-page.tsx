import { LightsPart } from '../../observability/lights/lights-part.tsx'
import { ResourceHeader } from '../../page/resource-header.tsx'
import type { SledDetails } from '@steading/api/client'
import { sledTrouble } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Server } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useCapability, useEngine, useEnginePart } from '../../data/capabilities.ts'
import { PageTabs, type TabsDefinition } from '../../page/page-tabs.tsx'
import { Meter } from '../../tenancy/utilization/meter.tsx'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { copyAction } from '../../ui/menu-action.ts'
import { PhoneDisclosure } from '../../ui/phone-disclosure.tsx'
import { TextLink } from '../../ui/link.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Size } from '../../ui/text.tsx'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { LifeState, PolicyKind, ProvisionPolicy } from '../inventory/badges.tsx'
import { useInventoryDocs } from '../inventory/tab.tsx'
import {
  sledDetailsQuery,
  sledHostQuery,
  sledQuery,
  sledUsageQuery,
  useSledParam,
} from '../inventory/queries.ts'
import { useSledActions } from '../inventory/sled-actions.tsx'

export const sledTabs = {
  id: 'sled',
  label: 'Sled',
  contents: 'list',
  tabs: [
    { label: 'Instances', to: '/system/inventory/sleds/$sledId/instances' },
    { label: 'Disks', to: '/system/inventory/sleds/$sledId/disks' },
    { label: 'Moves', to: '/system/inventory/sleds/$sledId/moves', needs: 'instanceMoves' },
    {
      label: 'Maintenance',
      to: '/system/inventory/sleds/$sledId/maintenance',
      needs: 'sledMaintenance',
    },
  ],
} as const satisfies TabsDefinition

/** Milliseconds between two reads of the report of a host. */
const HOST_POLL_MS = 30_000

type UsedProps = { label: string; used: number; usable: number; children: ReactNode }

/** A bar with the used share of a resource of a sled or disk. */
export const UsageBar = ({ label, used, usable, children }: UsedProps) => (
  <div className="flex min-w-0 flex-col gap-1.5">
    <div className="flex items-baseline justify-between gap-3">
      <span className="text-secondary">{label}</span>
      <span className="tabular-nums">{children}</span>
    </div>
    <Meter label={label} used={used} quota={usable} />
  </div>
)

/** Banner with conditions an operator must know before acting on the sled. */
function Standing(sled: SledDetails) {
  const { id, policy, state, responding, addedHost, updating, maintenance, usedHardwareThreads } =
    sled
  const isSimulated = useEngine()?.isSimulated !== false
  const hasReplicas = useEnginePart('replicas')
  if (state === 'decommissioned') return null
  if (policy.kind === 'expunged') {
    return (
      <Banner title="The sled is being expunged">
        {hasReplicas && 'Its replicas are rebuilt on other sleds. '}
        It is decommissioned once nothing is left on it.
      </Banner>
    )
  }
  const trouble = sledTrouble({ responding, host: addedHost, isSimulated, hasReplicas })
  if (trouble) {
    return (
      <Banner variant="error" title={trouble.title}>
        {trouble.text}{' '}
        {addedHost && (
          <TextLink to="/system/inventory/hosts/$host" params={{ host: addedHost.id }}>
            See the host
          </TextLink>
        )}
      </Banner>
    )
  }
  if (updating) {
    return (
      <Banner variant="info" title="The software of the sled is being updated">
        Its instances move to other sleds and run on. It takes instances again when it is done.
      </Banner>
    )
  }
  if (maintenance) {
    return (
      <Banner
        variant="info"
        title="The sled is in maintenance"
        action={
          <TextLink to="/system/inventory/sleds/$sledId/maintenance" params={{ sledId: id }}>
            Progress
          </TextLink>
        }
      >
        {maintenance.reason}
      </Banner>
    )
  }
  if (policy.provisionPolicy === 'provisionable') return null
  return usedHardwareThreads > 0 ? (
    <Banner variant="info" title="The sled takes no new instances">
      The instances on it stay until they are stopped; started again, they go to other sleds.
    </Banner>
  ) : (
    <Banner variant="info" title="The sled is drained">
      No instance is on it, and it takes no new ones.
      {hasReplicas && ' Its disks still store replicas.'}
    </Banner>
  )
}

/** Usage of a sled, summed over its instances, for control planes without the extension. */
function SummedCapacity({ sledId }: { sledId: string }) {
  const { data: sled } = usePrefetchedQuery(sledQuery(sledId))
  const { data: usage } = useQuery(sledUsageQuery(sledId))
  if (!usage) return null
  const { usableHardwareThreads, usablePhysicalRam } = sled
  const { usedHardwareThreads, usedPhysicalRam } = usage
  return (
    <div className="grid gap-6 px-(--gutter) pb-6 sm:grid-cols-3">
      <UsageBar
        label="Hardware threads used"
        used={usedHardwareThreads}
        usable={usableHardwareThreads}
      >
        {usedHardwareThreads} of {usableHardwareThreads}
      </UsageBar>
      <UsageBar label="Memory used" used={usedPhysicalRam} usable={usablePhysicalRam}>
        <Size bytes={usedPhysicalRam} /> of <Size bytes={usablePhysicalRam} />
      </UsageBar>
    </div>
  )
}

/** Capacity of a sled, and its usage. */
function Capacity({ sledId }: { sledId: string }) {
  const hasDetails = useCapability('hardware')
  const hasReplicas = useEnginePart('replicas')
  const { data } = useQuery({ ...sledDetailsQuery(sledId), enabled: hasDetails })
  if (!hasDetails) return <SummedCapacity sledId={sledId} />
  if (!data) return null
  return (
    <div className="flex flex-col gap-4 px-(--gutter) pb-6">
      <Standing {...data} />
      <div className="grid gap-6 sm:grid-cols-3">
        <UsageBar
          label="Hardware threads used"
          used={data.usedHardwareThreads}
          usable={data.usableHardwareThreads}
        >
          {data.usedHardwareThreads} of {data.usableHardwareThreads}
        </UsageBar>
        <UsageBar label="Memory used" used={data.usedPhysicalRam} usable={data.usablePhysicalRam}>
          <Size bytes={data.usedPhysicalRam} /> of <Size bytes={data.usablePhysicalRam} />
        </UsageBar>
        {/* Otherwise storage belongs to pools, not to sleds. */}
        {hasReplicas && (
          <UsageBar label="Storage used" used={data.usedStorage} usable={data.usableStorage}>
            <Size bytes={data.usedStorage} /> of <Size bytes={data.usableStorage} />
          </UsageBar>
        )}
      </div>
    </div>
  )
}

const HostCard = lazyPart(() => import('./host-card.tsx'))

/** The host behind a sled, if it is one. */
function Host({ sledId }: { sledId: string }) {
  const hasDetails = useCapability('hardware')
  const isReal = useEngine()?.isSimulated === false
  const { data } = useQuery({
    ...sledHostQuery(sledId),
    enabled: hasDetails && isReal,
    // Reports come without events.
    refetchInterval: HOST_POLL_MS,
  })
  if (!data?.host) return null
  return (
    <Suspense>
      <HostCard host={data.host} />
    </Suspense>
  )
}

export function SledPage() {
  const sledId = useSledParam()
  const { data: sled } = usePrefetchedQuery(sledQuery(sledId))
  const details = useQuery({ ...sledDetailsQuery(sledId), enabled: useCapability('hardware') }).data
  const actions = useSledActions()
  const star = useStarAction('sled')
  const history = useHistoryAction('sled')
  const { baseboard, policy } = sled
  const thing = { id: sled.id, name: baseboard.serial }
  return (
    <>
      <ResourceHeader
        title={baseboard.serial}
        icon={<Server strokeWidth={1.5} aria-hidden />}
        kind="sled"
        thing={thing}
      >
        <DocsPopover {...useInventoryDocs()} />
        <RefreshButton onRefresh={refetchShown} />
        <ActionMenu
          label="Sled actions"
          actions={[
            copyAction('Copy ID', sled.id),
            ...star(thing),
            ...history(thing),
            ...actions({ ...details, ...sled }),
          ]}
        />
      </ResourceHeader>
      <PhoneDisclosure label="Details">
        <div className="px-(--gutter) pb-5">
          <PropertiesTable columns={2}>
            <PropertiesTable.IdRow id={sled.id} label="Sled ID" />
            <PropertiesTable.Row label="Policy kind">
              <PolicyKind kind={policy.kind} />
            </PropertiesTable.Row>
            <PropertiesTable.Row label="Part">{baseboard.part}</PropertiesTable.Row>
            <PropertiesTable.Row label="Provision policy">
              <ProvisionPolicy policy={policy} maintenance={details?.maintenance} />
            </PropertiesTable.Row>
            <PropertiesTable.Row label="Serial">{baseboard.serial}</PropertiesTable.Row>
            <PropertiesTable.Row label="State">
              <LifeState state={sled.state} />
            </PropertiesTable.Row>
            <PropertiesTable.Row label="Revision">{baseboard.revision}</PropertiesTable.Row>
            <PropertiesTable.Row label="Usable hardware threads">
              {sled.usableHardwareThreads}
            </PropertiesTable.Row>
            <PropertiesTable.IdRow id={sled.rackId} label="Rack ID" />
            <PropertiesTable.Row label="Usable physical RAM">
              <Size bytes={sled.usablePhysicalRam} />
            </PropertiesTable.Row>
          </PropertiesTable>
        </div>
      </PhoneDisclosure>
      <Capacity sledId={sledId} />
      <Host sledId={sledId} />
      <LightsPart of={{ sled: sledId }} />
      <PageTabs of={sledTabs} params={{ sledId }} group={`Sled '${baseboard.serial}'`} />
    </>
  )
}
