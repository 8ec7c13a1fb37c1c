import { ResourceHeader } from '../../page/resource-header.tsx'
import { ipVersionName, isNearlyFull } from '@steading/api/rules'
import type { IpPool, SubnetPool } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { apiQuery, refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { samePage } from '../../data/addresses.ts'
import { Forecasts } from '../../observability/forecasts/forecasts-part.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { QueryTabs } from '../../ui/tabs.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { VersionTag } from './pool-option.tsx'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { PhoneDisclosure } from '../../ui/phone-disclosure.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { poolUse, Remaining, type VersionUse } from './capacity.tsx'
import { Percent } from '../../tenancy/utilization/capacity-bars.tsx'
import { Meter } from '../../tenancy/utilization/meter.tsx'
import { BigNumber } from '../../ui/big-number.tsx'
import { poolDocs, usePoolActions } from './pool-actions.tsx'
import { POLL_MS, type PoolKind, poolQuery, usePoolParam, utilizationQuery } from './pool-kind.ts'

const LinkedSilos = lazyPart(() =>
  import('./linked-silos.tsx').then((module) => ({ default: module.LinkedSilos })),
)

type HeadProps = {
  kind: PoolKind
  pool: IpPool | SubnetPool
  actions: MenuAction[]
  /** Undefined while loading. */
  use: VersionUse | undefined
}

/** The head of the page: name, menu, properties and usage of the pool. */
function PoolHead({ kind, pool, actions, use }: HeadProps) {
  const star = useStarAction(kind.thing)
  const history = useHistoryAction(kind.thing)
  const who = useWhoCan(kind.thing, undefined)
  const remaining = `${kind.holds.replace(/^a/, 'A')} remaining`
  const { icon: Icon } = kind
  const typed = 'poolType' in pool
  return (
    <>
      <ResourceHeader
        title={pool.name}
        icon={<Icon strokeWidth={1.5} aria-hidden />}
        kind={kind.thing}
        thing={pool}
      >
        <DocsPopover {...poolDocs[kind.thing]} />
        <RefreshButton onRefresh={refetchShown} />
        <ActionMenu
          label={`${kind.Words} actions`}
          actions={[
            copyAction('Copy ID', pool.id),
            ...star(pool),
            ...history(pool),
            ...who(pool),
            ...actions,
          ]}
        />
      </ResourceHeader>
      <PhoneDisclosure label="Details">
        <div className="px-(--gutter) pb-5">
          <PropertiesTable columns={2} rows={3}>
            <PropertiesTable.IdRow id={pool.id} />
            <PropertiesTable.DescriptionRow description={pool.description} />
            <PropertiesTable.Row label="IP version">
              <VersionTag version={pool.ipVersion} />
            </PropertiesTable.Row>
            {typed && (
              <PropertiesTable.Row label="Type">
                <Tag>{pool.poolType}</Tag>
              </PropertiesTable.Row>
            )}
            <PropertiesTable.Row label={remaining}>
              {use ? <Remaining use={use} /> : <SkeletonCell width="w-20" />}
            </PropertiesTable.Row>
            <PropertiesTable.DateRow label="Created" date={pool.timeCreated} />
            {!typed && <PropertiesTable.DateRow label="Last Modified" date={pool.timeModified} />}
          </PropertiesTable>
        </div>
      </PhoneDisclosure>
      <div className="flex flex-col gap-4 px-(--gutter) pb-6 empty:hidden">
        {use && isNearlyFull(use) && <NearlyFull kind={kind} left={use.remaining} />}
        {use && use.capacity > 0n && <CapacityBar use={use} unit={kind.holds} />}
      </div>
    </>
  )
}

/** Warns operators to extend the pool before it runs out. */
const NearlyFull = ({ kind, left }: { kind: PoolKind; left: bigint }) => (
  <Banner variant="notice" title={`${left === 0n ? 'No' : 'Few'} ${kind.holds} left`}>
    {left === 0n
      ? `Users get no ${kind.gives} from this pool until a ${kind.takes} is added or some are released.`
      : `Add a ${kind.takes} before the pool runs out and users are refused ${kind.gives}.`}
  </Banner>
)

const percentOf = ({ allocated, capacity }: VersionUse): number | undefined =>
  capacity > 0n ? Number((allocated * 10_000n) / capacity) / 100 : undefined

/** Bar with the used share of the addresses of one version. */
function CapacityBar({ use, unit }: { use: VersionUse; unit: string }) {
  const id = useId()
  const name = ipVersionName[use.version]
  return (
    <section aria-labelledby={id} className="overflow-hidden rounded-card border bg-raised">
      <header className="flex items-baseline gap-2 px-4 pt-3.5 pb-3">
        <h2 id={id} className="flex-1">
          <span className="font-medium">{name}</span>{' '}
          <span className="text-tertiary">({unit})</span>
        </h2>
        <Percent value={percentOf(use)} />
      </header>
      <div className="px-4 pb-4">
        <Meter
          label={`${name} allocated`}
          used={Number(use.allocated)}
          quota={Number(use.capacity)}
        />
      </div>
      <dl className="grid grid-cols-2 divide-x divide-line border-t">
        <Amount label="Allocated" value={use.allocated} />
        <Amount label="Capacity" value={use.capacity} />
      </dl>
    </section>
  )
}

const Amount = ({ label, value }: { label: string; value: bigint }) => (
  <div className="px-4 py-2.5">
    <dt className="text-xs text-secondary">{label}</dt>
    <dd className="text-base tabular-nums">
      <BigNumber value={value} />
    </dd>
  </div>
)

type PoolPageProps = {
  kind: PoolKind
  /** The first tab: ranges or members. */
  contents: Tab
  /** Tabs after the silos tab. */
  others?: Tab[]
  /** Why the pool cannot be deleted, as far as the page knows. */
  cannotDelete: string | undefined
}
type Tab = { id: string; label: string; content: ReactNode }

/** The page of a pool, for operators. */
export function PoolPage({ kind, contents, others = [], cannotDelete }: PoolPageProps) {
  const selector = usePoolParam()
  const { data: pool } = usePrefetchedQuery(poolQuery(kind, selector))
  const { tab } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data } = useQuery({ ...utilizationQuery(kind, selector), refetchInterval: POLL_MS })
  const actions = usePoolActions(kind, {
    cannotDelete,
    onDeleted: () => navigate({ to: kind.paths.list }),
  })
  const select = (id: string) =>
    void navigate({ ...samePage({ tab: id === contents.id ? undefined : id }), replace: true })
  return (
    <>
      <PoolHead
        kind={kind}
        pool={pool}
        actions={actions(pool)}
        use={data && poolUse(data, pool.ipVersion)}
      />
      <QueryTabs
        label={kind.Words}
        panelClass="flex flex-col gap-6 py-6"
        selected={tab ?? contents.id}
        onSelect={select}
        tabs={[
          contents,
          {
            id: 'silos',
            label: 'Linked silos',
            content: <LinkedSilos kind={kind} pool={pool} />,
          },
          ...others,
        ]}
      />
      <div className="pb-6">
        <Forecasts query={apiQuery(kind.forecast, { path: { pool: selector } })} />
      </div>
      <Outlet />
    </>
  )
}
