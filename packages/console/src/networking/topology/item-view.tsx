import { ChevronDown, ChevronRight, DoorOpen, Globe, Network, Waypoints } from 'lucide-react'
import { parseTag } from '@steading/api/rules'
import { type CSSProperties, memo, type ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { StateShape } from '../../ui/state-badge.tsx'
import { Truncate } from '../../ui/text.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { hueOf } from '../../workspace/tags/tag-chip.tsx'
import { nameOf } from './find-in-tree.ts'
import { type Item, sizes } from './layout.ts'

/** How a path passes an item. */
export interface Passing {
  /** The numbers of the path's stops here, from 1. */
  stops: number[]
  /** The sentence about this stop, and a short form. */
  says: string
  briefly: string
  blocked: boolean
}

type Props = {
  item: Item
  /** Target of Enter and click; without it they expand and collapse. */
  href: string | undefined
  /** Whether it is the single item reachable by Tab. */
  current: boolean
  connected: boolean
  passing: Passing | undefined
  /** The tag of the instance by which the map is coloured. */
  tag: string | undefined
  /** Number of interfaces with the highlighted tag; undefined without one, or of other items. */
  lit: number | undefined
  /** Shows items as indented rows instead of positions in the map. */
  asList: boolean
}

const plural = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`

/** Details of an item, shown beside its name. */
function detailOf(item: Item): string {
  switch (item.kind) {
    case 'internet':
      return 'Everything outside the cloud'
    case 'vpc':
      return plural(
        item.node.subnets.reduce((sum, { stations }) => sum + stations.length, 0),
        'interface',
      )
    case 'gateway': {
      const { pools, addresses } = item.node
      if (pools + addresses === 0) return 'Gateway, nothing attached'
      return [
        'Gateway',
        pools > 0 && plural(pools, 'IP pool'),
        addresses > 0 && plural(addresses, 'address', 'addresses'),
      ]
        .filter(Boolean)
        .join(', ')
    }
    case 'router':
      return `${item.node.isSystem ? 'System' : 'Custom'} router, ${plural(item.node.routes, 'route')}`
    case 'subnet':
      return item.node.blocks[0]!
    case 'group':
      return String(item.node.stations.length)
    case 'station':
      return item.node.addresses[0] ?? 'No address'
  }
}

const kindLabels: Record<Item['kind'], string> = {
  internet: '',
  vpc: 'VPC',
  gateway: '',
  router: '',
  subnet: 'subnet',
  group: '',
  station: 'instance',
}

/** The accessible name of an item. */
function labelOf(item: Item, passing: Passing | undefined): string {
  const kind = kindLabels[item.kind]
  const parts = [kind ? `${nameOf(item)}, ${kind}` : nameOf(item)]
  if (item.kind === 'station') {
    const { nic, state, addresses, external } = item.node
    parts.push(state, ...addresses)
    if (nic) parts.push(`interface ${nic}`)
    if (external.length > 0) parts.push(`external ${external.join(', ')}`)
    if (item.node.tags.length > 0) parts.push(`tags ${item.node.tags.join(', ')}`)
  } else if (item.kind === 'group') parts.push(plural(item.node.stations.length, 'instance'))
  else if (item.kind === 'subnet') {
    parts.push(...item.node.blocks, plural(item.node.stations.length, 'interface'))
  } else parts.push(detailOf(item))
  if (passing) parts.push(`stop ${passing.stops.join(' and ')} of the path: ${passing.says}`)
  return parts.join(', ')
}

/** The heights of containers' headings: the item of a container is only its heading. */
const headerOf: Partial<Record<Item['kind'], number>> = {
  vpc: sizes.vpcHeader,
  subnet: sizes.subnetHeader,
}

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true, className: 'shrink-0' } as const

function signOf(item: Item): ReactNode {
  switch (item.kind) {
    case 'internet':
      return <Globe {...icon} />
    case 'vpc':
      return <Network {...icon} />
    case 'gateway':
      return <DoorOpen {...icon} />
    case 'router':
      return <Waypoints {...icon} />
    case 'subnet':
      return null
    case 'group':
      return <StateShape tone={item.node.tone} />
    case 'station':
      return <StateShape tone={item.node.tone} />
  }
}

const looks: Record<Item['kind'], string> = {
  internet: 'rounded-card border bg-raised px-3',
  vpc: 'px-4',
  gateway: 'rounded-control border bg-raised px-3',
  router: 'rounded-control border bg-raised px-3',
  subnet: 'px-3',
  group: 'rounded-control px-1.5 hover:bg-hover',
  station: 'rounded-control border bg-raised px-2',
}

/** One thing in the map: both the tree item and its drawing. */
export const ItemView = memo(function ItemView(props: Props) {
  const { item, href, current, connected, passing, tag, lit, asList } = props
  const { box, kind } = item
  const Element = href ? 'a' : 'div'
  const small = !asList && (kind === 'group' || (kind === 'station' && item.small))
  const detail = passing
    ? passing.briefly
    : kind === 'group' && lit !== undefined
      ? `${lit} of ${detailOf(item)}`
      : detailOf(item)
  const mono = !passing && (kind === 'subnet' || kind === 'station')
  return (
    <Element
      role="treeitem"
      id={`map-${item.id}`}
      data-id={item.id}
      href={href}
      draggable={false}
      tabIndex={current ? 0 : -1}
      aria-level={item.level}
      aria-posinset={item.position}
      aria-setsize={item.among}
      aria-expanded={item.expanded}
      data-small={small || undefined}
      data-lit={lit === undefined ? undefined : lit > 0}
      data-passing={passing && (passing.blocked ? 'blocked' : 'passed')}
      className={cx(
        'map-item flex items-center gap-2 text-start select-none',
        asList ? 'map-row' : cx('absolute', looks[kind]),
        connected && !passing && 'is-connected',
      )}
      style={
        asList
          ? { paddingLeft: `calc(var(--gutter) + ${(item.level - 1) * 20}px)` }
          : { left: box.x, top: box.y, width: box.width, height: headerOf[kind] ?? box.height }
      }
    >
      <span className="sr-only">{labelOf(item, passing)}</span>
      {item.expanded !== undefined && (
        <span
          data-toggle
          aria-hidden
          className="-mx-1 flex size-6 shrink-0 items-center justify-center rounded-sm text-tertiary hover:bg-pressed hover:text-primary"
        >
          {item.expanded ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
        </span>
      )}
      <span aria-hidden className="flex shrink-0 text-tertiary empty:hidden">
        {signOf(item)}
      </span>
      <span aria-hidden className={cx('min-w-0 flex-1', small && 'flex items-baseline gap-2')}>
        <span className={cx('flex min-w-0', small && 'flex-1', kind !== 'group' && 'font-medium')}>
          <Truncate text={nameOf(item)} />
          {kind === 'station' && item.node.nic && (
            <span className="shrink-[2] truncate font-normal whitespace-pre text-tertiary">
              {` ${item.node.nic}`}
            </span>
          )}
        </span>
        {/* A small item has no room for an address beside a tag. */}
        {!(small && tag && !passing) && (
          <span
            className={cx(
              'map-detail text-xs tabular-nums',
              small ? 'shrink-0' : 'block truncate',
              mono && 'font-mono tracking-tight',
              passing?.blocked ? 'text-red-text' : 'text-tertiary',
            )}
            {...tooltip(passing?.says ?? detail, passing ? undefined : 'truncated')}
          >
            {detail}
          </span>
        )}
      </span>
      {tag && (
        <span
          aria-hidden
          className="tag-chip map-tag"
          style={{ '--hue': hueOf(tag) } as CSSProperties}
          {...tooltip(tag)}
        >
          <span>{parseTag(tag).value || tag}</span>
        </span>
      )}
      {kind === 'station' && item.node.external.length > 0 && (
        <span
          aria-hidden
          className="flex size-6 shrink-0 items-center justify-center text-tertiary"
          {...tooltip(`Reached from outside at ${item.node.external.join(', ')}`)}
        >
          <Globe size={14} strokeWidth={1.5} />
        </span>
      )}
      {kind === 'station' && !item.small && item.node.state !== 'running' && !passing && (
        <span aria-hidden className="map-detail shrink-0 self-start pt-1 text-xs text-secondary">
          {item.node.state}
        </span>
      )}
      {passing && (
        <span aria-hidden className="map-stop">
          {passing.blocked ? '✕' : passing.stops.join(' ')}
        </span>
      )}
    </Element>
  )
}, sameProps)

/** Items are created anew for each layout, but only these parts affect rendering. */
function sameProps(a: Props, b: Props): boolean {
  const { box } = a.item
  const other = b.item.box
  return (
    a.href === b.href &&
    a.current === b.current &&
    a.connected === b.connected &&
    a.asList === b.asList &&
    a.tag === b.tag &&
    a.lit === b.lit &&
    box.x === other.x &&
    box.y === other.y &&
    box.width === other.width &&
    box.height === other.height &&
    a.item.position === b.item.position &&
    a.item.among === b.item.among &&
    a.item.expanded === b.item.expanded &&
    labelOf(a.item, a.passing) === labelOf(b.item, b.passing) &&
    a.passing?.blocked === b.passing?.blocked
  )
}
