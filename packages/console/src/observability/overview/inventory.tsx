import type { Overview, OverviewAmount } from '@steading/api/client'
import { counted } from '@steading/api/rules'
import type { ReactNode } from 'react'
import { instanceTone } from '../../compute/instances/instance-cells.tsx'
import { linkTo, pathTo } from '../../data/addresses.ts'
import { physicalDiskTones, sledTones } from '../../hardware/inventory/conditions.ts'
import { diskTones } from '../../storage/disks/disk-state.tsx'
import { inUnit, type Resource, resources } from '../../tenancy/utilization/amounts.ts'
import { Meter } from '../../tenancy/utilization/meter.tsx'
import { BigNumber } from '../../ui/big-number.tsx'
import { cx } from '../../ui/cx.ts'
import { TextLink } from '../../ui/link.tsx'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { formatNumber, formatSize } from '../../ui/number.ts'
import { StateShape, type StateTone } from '../../ui/state-badge.tsx'
import { Panel } from './section.tsx'

type InventoryProps = {
  inventory: Overview['inventory']
  capacity: Overview['capacity']
  project: string | undefined
}

/** Resources and their states, and the share of the quota or capacity that they use. */
export function Inventory({ inventory, capacity, project }: InventoryProps) {
  if (!inventory && !capacity) return null
  const { project: inProjects, silo, fleet } = inventory ?? {}
  return (
    <Panel>
      {inProjects && (
        <Row>
          <OfProjects of={inProjects} project={project} />
        </Row>
      )}
      {fleet && (
        <Row>
          <OfFleet of={fleet} />
        </Row>
      )}
      {/* Three shares alone leave an empty cell in two columns. */}
      <Row endsWide={!silo && !fleet}>
        {silo && <OfSilo of={silo} />}
        {fleet && <OfSilos of={fleet} />}
        {capacity &&
          resources.map((resource) => (
            <Share
              key={resource.name}
              resource={resource}
              amount={capacity[resource.name]}
              inProject={project !== undefined}
            />
          ))}
      </Row>
    </Panel>
  )
}

/** Tiles beside each other, in two columns on small screens, with lines between them. */
const Row = ({ endsWide = false, children }: { endsWide?: boolean; children: ReactNode }) => (
  <div
    className={cx(
      '-me-px -mb-px grid grid-cols-2 empty:hidden lg:flex [&>*]:flex-1 [&>*]:border-e [&>*]:border-b',
      endsWide && '[&>:last-child]:col-span-2',
    )}
  >
    {children}
  </div>
)

type Counted<State extends string> = { state: State; count: number }

const sum = (counts: readonly { count: number }[]) =>
  counts.reduce((all, { count }) => all + count, 0)

function OfProjects({
  of,
  project,
}: {
  of: NonNullable<NonNullable<Overview['inventory']>['project']>
  project: string | undefined
}) {
  const lists = (page: 'instances' | 'disks') =>
    project === undefined ? undefined : pathTo(`/projects/$project/${page}`, { project })
  const detached = of.disks.find(({ state }) => state === 'detached')?.count ?? 0
  return (
    <>
      <States
        title="Instances"
        counts={of.instances}
        tones={instanceTone}
        list={lists('instances')}
      />
      <Tile title="Disks" number={sum(of.disks)} list={lists('disks')}>
        {[formatSize(of.diskBytes), detached > 0 && `${detached} detached`]
          .filter(Boolean)
          .join(', ')}
        <Troubled counts={of.disks} tones={diskTones} />
      </Tile>
      <Tile title="External IPs" number={of.externalIps}>
        {counts([of.floatingIps, 'floating IP'], [of.vpcs, 'VPC'])}
        <br />
        {counts([of.snapshots, 'snapshot'], [of.images, 'image'])}
      </Tile>
    </>
  )
}

const counts = (...each: [count: number, noun: string][]) =>
  each.map(([count, noun]) => counted(count, noun)).join(', ')

const OfSilo = ({ of }: { of: NonNullable<NonNullable<Overview['inventory']>['silo']> }) => (
  <Tile title="Projects" number={of.projects} list="/projects">
    {counts([of.users, 'user'], [of.groups, 'group'])}
  </Tile>
)

function OfFleet({ of }: { of: NonNullable<NonNullable<Overview['inventory']>['fleet']> }) {
  const states = <C extends string>(all: { condition: C; count: number }[]) =>
    all.map(({ condition, count }) => ({ state: condition, count }))
  return (
    <>
      <States
        title="Sleds"
        counts={states(of.sleds)}
        tones={sledTones}
        list="/system/inventory/sleds"
        unfiltered
      />
      <States
        title="Physical disks"
        counts={states(of.physicalDisks)}
        tones={physicalDiskTones}
        list="/system/inventory/disks"
        unfiltered
      />
    </>
  )
}

function OfSilos({ of }: { of: NonNullable<NonNullable<Overview['inventory']>['fleet']> }) {
  const [fullest] = of.ipPools
  return (
    <Tile title="Silos" number={of.silos} list="/system/silos">
      {counts([of.racks, 'rack'], [of.ipPools.length, 'IP pool'])}
      {fullest && (
        <div className="truncate">
          Fullest: {fullest.name},{' '}
          {formatNumber(Math.round((fullest.used / fullest.capacity) * 100))}%
        </div>
      )}
    </Tile>
  )
}

type TileProps = {
  title: string
  number: number
  list?: string
  wide?: boolean
  children: ReactNode
}

function Tile({ title, number, list, wide = false, children }: TileProps) {
  return (
    <div className={cx('min-w-0 p-5 max-sm:p-4', wide && 'col-span-2 lg:flex-[2]!')}>
      <div className="flex items-baseline justify-between gap-2">
        <h2 className="truncate text-secondary">
          {list ? (
            <TextLink {...linkTo(list)} className="text-secondary">
              {title}
            </TextLink>
          ) : (
            title
          )}
        </h2>
        <span className="text-number font-semibold tracking-[-0.02em] tabular-nums">
          <BigNumber value={number} />
        </span>
      </div>
      <div className="mt-1.5 text-tertiary">{children}</div>
    </div>
  )
}

type StatesProps<State extends string> = {
  title: string
  counts: readonly Counted<State>[]
  tones: Record<State, StateTone>
  list: string | undefined
  /** The list has no filter of states. */
  unfiltered?: boolean
}

const fills: Record<StateTone, string> = {
  works: 'bg-green',
  changing: 'bg-amber',
  attention: 'bg-amber',
  failed: 'bg-red',
  off: 'bg-line-control',
}

/** A bar of all resources by state, and the states in words, each a link to its list. */
function States<State extends string>(props: StatesProps<State>) {
  const { title, counts: all, tones, list, unfiltered = false } = props
  const present = groupsOf(all, tones)
  return (
    <Tile title={title} number={sum(all)} list={list} wide>
      <div aria-hidden className="mt-3 flex h-2.5 gap-[3px] overflow-hidden rounded-full">
        {present.map(({ name, tone, count }) => (
          <div
            key={name}
            className={cx(
              'min-w-1.5 rounded-sm transition-[flex-grow] duration-200',
              fills[tone],
              'forced-colors:bg-[CanvasText]',
            )}
            style={{ flexGrow: count }}
          />
        ))}
        {present.length === 0 && <div className="flex-1 rounded-sm bg-skeleton" />}
      </div>
      <ul className="mt-2.5 flex flex-wrap gap-x-5 gap-y-1">
        {present.map(({ name, tone, count, states }) => (
          <li key={name} className="flex items-center gap-1.5">
            <StateShape tone={tone} />
            <span className="font-medium text-primary tabular-nums">{formatNumber(count)}</span>
            {list && !unfiltered ? (
              <TextLink {...linkTo(`${list}?state=${states.join(',')}`)} className="text-secondary">
                {name}
              </TextLink>
            ) : (
              <span className="text-secondary">{name}</span>
            )}
          </li>
        ))}
        {present.length === 0 && <li>None yet</li>}
      </ul>
    </Tile>
  )
}

const toneOrder: StateTone[] = ['failed', 'attention', 'works', 'changing', 'off']

/** The states that occur, the worst first. States that last for moments are one group. */
function groupsOf<State extends string>(
  all: readonly Counted<State>[],
  tones: Record<State, StateTone>,
) {
  const present = all.filter(({ count }) => count > 0)
  return toneOrder.flatMap((tone) => {
    const ofTone = present.filter(({ state }) => tones[state] === tone)
    if (tone !== 'changing' || ofTone.length < 2) {
      return ofTone.map(({ state, count }) => ({
        name: wordsOf(state),
        tone,
        count,
        states: [state],
      }))
    }
    return { name: 'changing', tone, count: sum(ofTone), states: ofTone.map(({ state }) => state) }
  })
}

const wordsOf = (state: string) => state.replaceAll('_', ' ')

/** States that need attention, in words. */
function Troubled<State extends string>(props: {
  counts: readonly Counted<State>[]
  tones: Record<State, StateTone>
}) {
  const { counts: all, tones } = props
  const bad = all.filter(({ state, count }) => count > 0 && tones[state] === 'failed')
  return bad.map(({ state, count }) => (
    <div key={state} className="flex items-center gap-1.5 text-red-text">
      <StateShape tone="failed" /> {count} {wordsOf(state)}
    </div>
  ))
}

type ShareProps = {
  resource: Resource
  amount: OverviewAmount
  /** The amount is that of a project, which shares the limit with others. */
  inProject: boolean
}

/** What is provisioned, as a share of the quota or of the capacity. */
function Share({ resource, amount, inProject }: ShareProps) {
  const { provisioned, used, limit } = amount
  const number = (value: number) => formatNumber(inUnit(resource, value))
  const whole = `${number(limit)} ${resource.unit}`
  return (
    <div className="min-w-0 p-5 max-sm:p-4">
      <div className="flex items-baseline justify-between gap-2">
        <h2 className="text-secondary">{resource.label}</h2>
        <span className="whitespace-nowrap tabular-nums">
          <span className="text-number font-semibold tracking-[-0.02em]">
            {number(provisioned)}
          </span>{' '}
          <span className="text-tertiary">{resource.unit}</span>
        </span>
      </div>
      <div className="mt-3">
        <Meter label={`${capitalized(resource.label)} used`} used={provisioned} quota={limit} />
      </div>
      <div className="mt-2 text-tertiary tabular-nums">
        {inProject
          ? `of the silo’s ${whole}, ${number(used)} used in all`
          : `${number(used)} of ${whole} used`}
      </div>
    </div>
  )
}
