/** The path of a packet through the map of a network. */
import type { ReachabilityStep } from '@steading/api/client'
import { INTERNET } from './graph.ts'
import { type Item, type Picture, type Point, sizes } from './layout.ts'

/** A stop on the path, with its steps. */
export interface PathStop {
  /** ID of the item in the map; undefined if it is not in the map. */
  item: string | undefined
  steps: ReachabilityStep[]
  /** Whether the packet is stopped here. */
  blocked: boolean
}

const itemOf = ({ kind, router, internetGateway, interface: nic }: ReachabilityStep) => {
  if (kind === 'outside' || (kind === 'endpoint' && !nic)) return INTERNET
  if (kind === 'route') return router?.id ?? nic?.id
  if (kind === 'gateway') return internetGateway?.id
  return nic?.id
}

/** The steps of a path grouped by stop, in order. */
export function stopsOf(steps: readonly ReachabilityStep[]): PathStop[] {
  const stops: PathStop[] = []
  for (const step of steps) {
    const item = itemOf(step)
    let last = stops.at(-1)
    if (!last || last.item !== item) {
      last = { item, steps: [], blocked: false }
      stops.push(last)
    }
    last.steps.push(step)
    if (!step.passed) last.blocked = true
  }
  return stops
}

/** Short text of a step, to fit into the map. */
export function shortStepText({
  kind,
  passed,
  rule,
  direction,
  route,
  translation,
  reason,
}: ReachabilityStep): string {
  if (kind === 'firewall' && rule) return `${passed ? 'Allowed' : 'Denied'} by ${rule.name}`
  if (kind === 'firewall' && !passed) return `No ${direction} rule allows it`
  if (kind === 'firewall') return 'Allowed by default'
  if (kind === 'route' && route) return `By route ${route.name}`
  if (kind === 'gateway' && translation) return `Sent as ${translation.source}`
  if (kind === 'outside' && translation) return `To ${translation.destination}`
  return reason.replace(/\.$/, '')
}

/** Interfaces on a path, which the map must show even if their group is collapsed. */
export const stationsOf = (steps: readonly ReachabilityStep[]): string[] => [
  ...new Set(steps.flatMap(({ interface: nic }) => (nic ? [nic.id] : []))),
]

const stemOf = (station: Item & { kind: 'station' }, subnet: Item): Point[] => {
  const x = subnet.box.x + sizes.stem / 2
  const middle = station.box.y + station.box.height / 2
  return [
    [station.box.x, middle],
    [x, middle],
    [x, subnet.box.y],
  ]
}

const reversed = (points: Point[]): Point[] => points.toReversed()

/** The line between two items, along wires if there are any. */
export function lineBetween(picture: Picture, from: string, to: string): Point[] {
  const items = new Map(picture.items.map((item) => [item.id, item]))
  const wire = (a: string, b: string): Point[] | undefined => {
    const along = picture.wires.find((one) => one.from === a && one.to === b)
    if (along) return along.points
    const against = picture.wires.find((one) => one.from === b && one.to === a)
    return against && reversed(against.points)
  }
  const direct = wire(from, to)
  if (direct) return direct
  const a = items.get(from)
  const b = items.get(to)
  if (!a || !b) return []
  if (a.kind === 'station' && b.kind === 'router') {
    const subnet = items.get(a.subnet.id)!
    return [...stemOf(a, subnet), ...(wire(subnet.id, to) ?? [])]
  }
  if (b.kind === 'station' && a.kind === 'router') return reversed(lineBetween(picture, to, from))
  if (a.kind === 'station' && b.kind === 'internet') return reversed(lineBetween(picture, to, from))
  if (a.kind === 'internet' && b.kind === 'station') {
    // Inbound traffic needs no route: it passes beside gateways and routers.
    const subnet = items.get(b.subnet.id)!
    const x = subnet.box.x - sizes.gap / 2
    const y = subnet.box.y + sizes.subnetHeader / 2
    return [
      [x, sizes.internet],
      [x, y],
      [subnet.box.x + sizes.stem / 2, y],
      ...reversed(stemOf(b, subnet)).slice(1),
    ]
  }
  return [
    [a.box.x + a.box.width / 2, a.box.y + a.box.height / 2],
    [b.box.x + b.box.width / 2, b.box.y + b.box.height / 2],
  ]
}

const RADIUS = 8

/** A line with rounded corners, as SVG path data. */
export function pathOf(points: readonly Point[]): string {
  return points
    .map(([x, y], index) => {
      const before = points[index - 1]
      const after = points[index + 1]
      if (!before) return `M${x} ${y}`
      if (!after) return `L${x} ${y}`
      const towards = ([px, py]: Point): Point => {
        const length = Math.hypot(px - x, py - y)
        const part = length === 0 ? 0 : Math.min(RADIUS, length / 2) / length
        return [x + (px - x) * part, y + (py - y) * part]
      }
      const [ax, ay] = towards(before)
      const [bx, by] = towards(after)
      return `L${ax} ${ay}Q${x} ${y} ${bx} ${by}`
    })
    .join('')
}

export interface Connected {
  items: Set<string>
  wires: Set<string>
}

/** The connections of an item, for highlighting. */
export function connectedWith(picture: Picture, item: Item): Connected {
  const items = new Set([item.id])
  const wires = new Set<string>()
  const follow = (id: string, outwards: boolean, as: (to: string) => boolean) => {
    for (const wire of picture.wires) {
      const next = outwards ? wire.to : wire.from
      if ((outwards ? wire.from : wire.to) !== id || !as(next)) continue
      wires.add(wire.id)
      items.add(next)
      follow(next, outwards, as)
    }
  }
  const outwards = (id: string, asFarAs: (to: string) => boolean = () => true) =>
    follow(id, true, asFarAs)
  switch (item.kind) {
    case 'station':
      items.add(item.subnet.id)
      outwards(item.subnet.id)
      break
    case 'group':
      items.add(item.node.subnet)
      outwards(item.node.subnet)
      break
    case 'subnet':
    case 'gateway':
      outwards(item.id)
      follow(item.id, false, () => true)
      break
    case 'router':
      outwards(item.id)
      follow(item.id, false, () => true)
      for (const station of item.node.stations) items.add(station)
      break
    case 'vpc':
    case 'internet':
      break
  }
  return { items, wires }
}
