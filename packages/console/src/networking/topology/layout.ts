/**
 * The layout of a network map: the internet on top, then in each VPC its gateways, routers and
 * subnets. Subnets are side by side and grow downwards, so changes in one subnet move nothing in
 * another.
 */
import type { StateTone } from '../../ui/state-badge.tsx'
import {
  type GatewayNode,
  type Graph,
  INTERNET,
  type RouterNode,
  type Station,
  type SubnetNode,
  type VpcNode,
} from './graph.ts'
import { keepSlots } from './slots.ts'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface GroupNode {
  subnet: string
  tone: StateTone
  stations: Station[]
}

interface Placed {
  id: string
  /** Bounds, including all contents. */
  box: Box
  /** Level in the tree; 1 is the outermost. */
  level: number
  position: number
  /** The number of siblings, including this one. */
  among: number
  parent?: string
  /** Undefined for things without contents. */
  expanded?: boolean
}

export type Item = Placed &
  (
    | { kind: 'internet' }
    | { kind: 'vpc'; node: VpcNode }
    | { kind: 'gateway'; node: GatewayNode; vpc: VpcNode }
    | { kind: 'router'; node: RouterNode; vpc: VpcNode }
    | { kind: 'subnet'; node: SubnetNode; vpc: VpcNode }
    | { kind: 'group'; node: GroupNode }
    | { kind: 'station'; node: Station; subnet: SubnetNode; vpc: VpcNode; small: boolean }
  )

export type Point = readonly [x: number, y: number]

/** A connection between two items. */
export interface Wire {
  id: string
  from: string
  to: string
  points: Point[]
}

/** State that a layout passes to the next one of the same network. */
export interface LayoutMemory {
  slots: ReadonlyMap<string, readonly string[]>
  /** Number of columns by VPC. */
  columns: ReadonlyMap<string, number>
  /** Whether the instances of a subnet are grouped. */
  grouped: ReadonlyMap<string, boolean>
}

export interface Picture {
  width: number
  height: number
  /** In tree order. */
  items: Item[]
  wires: Wire[]
  memory: LayoutMemory
}

export interface View {
  /**
   * IDs of items the user has toggled: groups are collapsed at first, everything else is expanded.
   */
  toggled: ReadonlySet<string>
  /** Interfaces shown even if their group is collapsed. */
  pinned: ReadonlySet<string>
}

export const sizes = {
  column: 272,
  gap: 20,
  padding: 16,
  vpcGap: 36,
  internet: 52,
  outside: 40,
  vpcHeader: 48,
  tile: 52,
  channel: 44,
  subnetHeader: 60,
  /** Space to the left of a subnet's contents, for the path of a packet. */
  stem: 20,
  body: 8,
  station: 48,
  small: 32,
  group: 36,
  between: 6,
  empty: 40,
} as const

/** The number of interfaces from which a subnet groups them by state. */
export const GROUPED_FROM = 13

/** The states of a subnet's instances, in their initial order. */
const tones: readonly StateTone[] = ['works', 'failed', 'attention', 'off', 'changing']

const groupId = (subnet: string, tone: StateTone): string => `${subnet} ${tone}`

export const isExpanded = (id: string, kind: Item['kind'], { toggled }: View): boolean =>
  (kind === 'group') === toggled.has(id)

class Drawing {
  readonly items: Item[] = []
  readonly wires: Wire[] = []
  readonly #slots = new Map<string, readonly string[]>()
  readonly #columns = new Map<string, number>()
  readonly #grouped = new Map<string, boolean>()
  readonly #before: LayoutMemory | undefined
  readonly #view: View

  constructor(view: View, before: LayoutMemory | undefined) {
    this.#view = view
    this.#before = before
  }

  get memory(): LayoutMemory {
    return { slots: this.#slots, columns: this.#columns, grouped: this.#grouped }
  }

  /** @returns the place of each part, and the number of places */
  #places(key: string, ids: readonly string[], refill = false): [Map<string, number>, number] {
    const slots = keepSlots(this.#before?.slots.get(key), ids, refill)
    this.#slots.set(key, slots)
    return [new Map(slots.map((id, index) => [id, index])), slots.length]
  }

  /** The existing parts, sorted by their places. */
  #arranged<T extends { id: string }>(
    key: string,
    parts: readonly T[],
    refill = false,
  ): { parts: { part: T; place: number }[]; places: number } {
    const [places, count] = this.#places(
      key,
      parts.map(({ id }) => id),
      refill,
    )
    return {
      parts: parts
        .map((part) => ({ part, place: places.get(part.id)! }))
        .sort((a, b) => a.place - b.place),
      places: count,
    }
  }

  graph({ vpcs }: Graph): { width: number; height: number } {
    const internet: Item = {
      kind: 'internet',
      id: INTERNET,
      level: 1,
      position: 1,
      among: vpcs.length + 1,
      box: { x: 0, y: 0, width: 0, height: sizes.internet },
    }
    this.items.push(internet)
    const arranged = this.#arranged('vpcs', vpcs)
    const places = new Map(arranged.parts.map(({ part, place }) => [place, part]))
    const top = sizes.internet + sizes.outside
    let x = 0
    let bottom = top
    let position = 1
    for (let place = 0; place < arranged.places; place++) {
      const vpc = places.get(place)
      const id = this.#slots.get('vpcs')![place]!
      const columns = Math.max(
        this.#before?.columns.get(id) ?? 1,
        ...(vpc ? this.#columnsOf(vpc) : []),
      )
      this.#columns.set(id, columns)
      const width = columns * (sizes.column + sizes.gap) - sizes.gap + 2 * sizes.padding
      if (vpc) {
        const height = this.#vpc(vpc, { x, y: top, width }, ++position, vpcs.length + 1)
        bottom = Math.max(bottom, top + height)
      }
      x += width + sizes.vpcGap
    }
    internet.box.width = Math.max(x - sizes.vpcGap, sizes.column)
    return { width: internet.box.width, height: bottom }
  }

  /** The numbers of columns needed by the parts of a VPC. */
  #columnsOf({ id, gateways, routers, subnets }: VpcNode): number[] {
    return [
      this.#arranged(`${id} gateways`, gateways).places,
      this.#arranged(`${id} routers`, routers).places,
      this.#arranged(`${id} subnets`, subnets).places,
    ]
  }

  /** @returns its height */
  #vpc(vpc: VpcNode, at: Omit<Box, 'height'>, position: number, among: number): number {
    const { gateways, routers, subnets } = vpc
    const expanded = isExpanded(vpc.id, 'vpc', this.#view)
    const item: Item = {
      kind: 'vpc',
      id: vpc.id,
      node: vpc,
      level: 1,
      position,
      among,
      expanded,
      box: { ...at, height: sizes.vpcHeader },
    }
    this.items.push(item)
    if (!expanded) return item.box.height

    const left = at.x + sizes.padding
    const columnAt = (place: number) => left + place * (sizes.column + sizes.gap)
    const gatewaysAt = at.y + sizes.vpcHeader
    const routersAt = gatewaysAt + sizes.tile + sizes.channel
    const subnetsAt = routersAt + sizes.tile + sizes.channel
    const inside = {
      level: 2,
      among: gateways.length + routers.length + subnets.length,
      parent: vpc.id,
    }
    let count = 0
    const tile = { width: sizes.column, height: sizes.tile }
    const gatewayBoxes = new Map<string, { box: Box; place: number }>()
    for (const { part, place } of this.#arranged(`${vpc.id} gateways`, gateways).parts) {
      const box = { x: columnAt(place), y: gatewaysAt, ...tile }
      gatewayBoxes.set(part.id, { box, place })
      this.items.push({
        kind: 'gateway',
        id: part.id,
        node: part,
        vpc,
        ...inside,
        position: ++count,
        box,
      })
      const x = box.x + box.width - 36
      this.wires.push({
        id: `${part.id} ${INTERNET}`,
        from: part.id,
        to: INTERNET,
        points: [
          [x, box.y],
          [x, sizes.internet],
        ],
      })
    }
    const routerBoxes = new Map<string, { box: Box; place: number }>()
    for (const { part, place } of this.#arranged(`${vpc.id} routers`, routers).parts) {
      const box = { x: columnAt(place), y: routersAt, ...tile }
      routerBoxes.set(part.id, { box, place })
      this.items.push({
        kind: 'router',
        id: part.id,
        node: part,
        vpc,
        ...inside,
        position: ++count,
        box,
      })
      for (const id of part.gateways) {
        const gateway = gatewayBoxes.get(id)
        if (gateway) this.#wire(part.id, box, id, gateway.box, gateway.place)
      }
    }
    let bottom = subnetsAt
    for (const { part, place } of this.#arranged(`${vpc.id} subnets`, subnets).parts) {
      const box = { x: columnAt(place), y: subnetsAt, width: sizes.column, height: 0 }
      box.height = this.#subnet(part, vpc, box, ++count, inside)
      bottom = Math.max(bottom, box.y + box.height)
      for (const id of part.routers) {
        const router = routerBoxes.get(id)
        if (router) this.#wire(part.id, box, id, router.box, router.place)
      }
    }
    item.box.height = bottom + sizes.padding - at.y
    return item.box.height
  }

  /**
   * Adds a wire from the top of a box up to the one above. Each target has its own lane and port,
   * so wires share a segment only if they lead to the same target.
   */
  #wire(from: string, box: Box, to: string, above: Box, place: number): void {
    const port = box.x + 36 + (place % 12) * 14
    const lane = above.y + above.height + 14 + (place % 4) * 7
    const x = above.x + above.width / 2
    this.wires.push({
      id: `${from} ${to}`,
      from,
      to,
      points: [
        [port, box.y],
        [port, lane],
        [x, lane],
        [x, above.y + above.height],
      ],
    })
  }

  /** @returns its height */
  #subnet(
    subnet: SubnetNode,
    vpc: VpcNode,
    at: Box,
    position: number,
    inside: { level: number; among: number; parent: string },
  ): number {
    const { id, stations } = subnet
    const expanded = isExpanded(id, 'subnet', this.#view)
    const box: Box = { ...at, height: sizes.subnetHeader }
    this.items.push({ kind: 'subnet', id, node: subnet, vpc, ...inside, position, expanded, box })
    const grouped = this.#before?.grouped.get(id) ?? stations.length >= GROUPED_FROM
    this.#grouped.set(id, grouped)
    if (!expanded) return box.height
    let y = at.y + sizes.subnetHeader
    const x = at.x + sizes.stem
    const width = at.width - sizes.stem - sizes.body
    /** Stacks interfaces: all of a group, or only the pinned ones. */
    const place = (list: readonly Station[], parent: string, all: boolean) => {
      const { parts, places } = this.#arranged(parent, list, true)
      const shown = all ? parts : parts.filter(({ part }) => this.#view.pinned.has(part.id))
      const inGroup = parent !== id
      const small = inGroup && all
      const height = small ? sizes.small : sizes.station
      const indent = inGroup ? 12 : 0
      for (const [index, each] of shown.entries()) {
        this.items.push({
          kind: 'station',
          id: each.part.id,
          node: each.part,
          subnet,
          vpc,
          small,
          level: inGroup ? 4 : 3,
          parent,
          position: index + 1,
          among: shown.length,
          box: {
            x: x + indent,
            y: y + (all ? each.place : index) * (height + sizes.between),
            width: width - indent,
            height,
          },
        })
      }
      y += (all ? places : shown.length) * (height + sizes.between)
    }
    if (!grouped) {
      place(stations, id, true)
      if (y === at.y + sizes.subnetHeader) y += sizes.empty
    } else {
      const counts = new Map(
        tones.map((tone) => [tone, stations.filter((one) => one.tone === tone)]),
      )
      const present = tones.filter((tone) => counts.get(tone)!.length > 0)
      this.#places(`${id} groups`, present)
      const shown = this.#slots.get(`${id} groups`)! as StateTone[]
      for (const [index, tone] of shown.entries()) {
        const members = counts.get(tone)!
        const group = groupId(id, tone)
        const open = isExpanded(group, 'group', this.#view)
        this.items.push({
          kind: 'group',
          id: group,
          node: { subnet: id, tone, stations: members },
          level: 3,
          parent: id,
          position: index + 1,
          among: shown.length,
          expanded: open || members.some((one) => this.#view.pinned.has(one.id)),
          box: { x, y, width, height: sizes.group },
        })
        y += sizes.group + sizes.between
        place(members, group, open)
      }
    }
    box.height = y - sizes.between + sizes.body - at.y
    return box.height
  }
}

/** @param before state of the previous layout, so that remaining items do not move */
export function draw(graph: Graph, view: View, before?: LayoutMemory): Picture {
  const drawing = new Drawing(view, before)
  const { width, height } = drawing.graph(graph)
  return { width, height, items: drawing.items, wires: drawing.wires, memory: drawing.memory }
}
