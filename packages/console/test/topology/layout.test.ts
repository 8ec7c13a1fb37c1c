import fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemByKey } from '../../src/networking/topology/find-in-tree.ts'
import type { Graph, Station, SubnetNode, VpcNode } from '../../src/networking/topology/graph.ts'
import {
  type Box,
  draw,
  GROUPED_FROM,
  type Item,
  type Picture,
} from '../../src/networking/topology/layout.ts'
import { keepSlots } from '../../src/networking/topology/slots.ts'

const tones = ['works', 'off', 'failed', 'changing'] as const
const view = (toggled: string[] = [], pinned: string[] = []) => ({
  toggled: new Set(toggled),
  pinned: new Set(pinned),
})

const station = (id: string, tone: Station['tone'] = 'works'): Station => ({
  id,
  instanceId: `i-${id}`,
  instance: id,
  nic: null,
  state: 'running',
  tone,
  addresses: ['172.30.0.5'],
  external: [],
  tags: [],
})
const subnet = (id: string, stations: Station[], routers: string[] = []): SubnetNode => ({
  id,
  name: id,
  blocks: ['172.30.0.0/22', 'fd00::/64'],
  routers,
  stations,
})
const stationsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => station(`${prefix}-${n}`, tones[n % 3]))

/** Networks whose parts have unique names, so that two of them share parts. */
const graphs: fc.Arbitrary<Graph> = fc
  .array(
    fc.record({
      gateways: fc.nat(3),
      customs: fc.nat(3),
      subnets: fc.array(fc.tuple(fc.subarray([...Array(40).keys()]), fc.nat(3)), { maxLength: 4 }),
    }),
    { maxLength: 4 },
  )
  .map((vpcs) => ({
    apart: [],
    vpcs: vpcs.map(({ gateways, customs, subnets }, v): VpcNode => ({
      id: `v${v}`,
      name: `v${v}`,
      gateways: Array.from({ length: gateways }, (_, n) => ({
        id: `v${v}g${n}`,
        name: `g${n}`,
        pools: 1,
        addresses: 0,
      })),
      routers: Array.from({ length: customs + 1 }, (_, n) => ({
        id: `v${v}r${n}`,
        name: `r${n}`,
        isSystem: n === 0,
        routes: 2,
        gateways: gateways > 0 ? [`v${v}g${n % gateways}`] : [],
        stations: [],
      })),
      subnets: subnets.map(([numbers, router], s) =>
        subnet(
          `v${v}s${s}`,
          numbers.map((n) => station(`v${v}s${s}i${n}`, tones[n % 4])),
          [`v${v}r${router % (customs + 1)}`],
        ),
      ),
    })),
  }))

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** The parts of a picture without children; their containers are not compared. */
const leaves = ({ items }: Picture) =>
  items.filter(({ kind }) => kind !== 'vpc' && kind !== 'subnet')
const boxes = ({ items }: Picture, kinds: Item['kind'][]) =>
  new Map(items.filter(({ kind }) => kinds.includes(kind)).map(({ id, box }) => [id, box]))

/** Parts that overlap others, or lie outside of the picture. */
function misplaced(picture: Picture): string[] {
  const found: string[] = []
  for (const group of [
    leaves(picture),
    picture.items.filter(({ kind }) => kind === 'vpc' || kind === 'internet'),
    picture.items.filter(
      ({ kind }) => kind === 'subnet' || kind === 'router' || kind === 'gateway',
    ),
  ]) {
    for (const [index, a] of group.entries()) {
      for (const b of group.slice(index + 1)) {
        if (overlap(a.box, b.box)) found.push(`${a.id} and ${b.id}`)
      }
    }
  }
  for (const { id, box } of picture.items) {
    if (box.x + box.width > picture.width || box.y + box.height > picture.height) found.push(id)
  }
  return found
}

test('nothing overlaps for any open parts and changes of the network', () => {
  fc.assert(
    fc.property(graphs, graphs, fc.array(fc.nat()), (before, after, picks) => {
      const first = draw(before, view())
      expect(misplaced(first)).toEqual([])
      const all = first.items.map(({ id }) => id)
      const some = picks.map((pick) => all[pick % all.length]!)
      expect(misplaced(draw(before, view(some, some)))).toEqual([])
      expect(misplaced(draw(after, view(some, some), first.memory))).toEqual([])
    }),
    { numRuns: 60 },
  )
})

test('the layout is deterministic', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const first = draw(graph, view())
      expect(draw(graph, view(), first.memory).items).toEqual(first.items)
    }),
    { numRuns: 40 },
  )
})

test('changes of instances in one subnet move nothing in others', () => {
  fc.assert(
    fc.property(graphs, fc.array(fc.nat(60)), (graph, numbers) => {
      const last = graph.vpcs.at(-1)
      const changed = last?.subnets.at(-1)
      if (!last || !changed) return
      const before = draw(graph, view())
      const stations = [...new Set(numbers)].map((n) => station(`${changed.id}i${n}`, tones[n % 4]))
      const after = draw(
        {
          ...graph,
          vpcs: graph.vpcs.map((vpc) => ({
            ...vpc,
            subnets: vpc.subnets.map((one) => (one === changed ? { ...one, stations } : one)),
          })),
        },
        view(),
        before.memory,
      )
      const elsewhere = (picture: Picture) =>
        leaves(picture)
          .filter(({ id }) => !id.startsWith(changed.id))
          .map(({ id, box }) => [id, id === 'internet' ? box.y : box])
      expect(elsewhere(after)).toEqual(elsewhere(before))
    }),
    { numRuns: 60 },
  )
})

test('remaining instances of an ungrouped subnet keep their places', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uniqueArray(fc.nat(GROUPED_FROM + 10), { maxLength: GROUPED_FROM - 1 }), {
        minLength: 2,
      }),
      (worlds) => {
        let last: Picture | undefined
        const moved: string[] = []
        for (const numbers of worlds) {
          const graph = oneVpc([
            subnet(
              's',
              numbers.map((n) => station(`i${n}`)),
            ),
          ])
          const next: Picture = draw(graph, view(), last?.memory)
          const now = boxes(next, ['station'])
          for (const [id, box] of last ? boxes(last, ['station']) : []) {
            const { x = box.x, y = box.y } = now.get(id) ?? {}
            if (x !== box.x || y !== box.y) moved.push(id)
          }
          last = next
        }
        expect(moved).toEqual([])
      },
    ),
    { numRuns: 60 },
  )
})

const oneVpc = (subnets: SubnetNode[]): Graph => ({
  apart: [],
  vpcs: [
    {
      id: 'v',
      name: 'v',
      gateways: [],
      routers: [{ id: 'r', name: 'system', isSystem: true, routes: 2, gateways: [], stations: [] }],
      subnets: subnets.map((one) => ({ ...one, routers: ['r'] })),
    },
  ],
})
const ids = ({ items }: Picture, kind: Item['kind']) =>
  items.filter((item) => item.kind === kind).map(({ id }) => id)

test('few instances are shown one by one, many by their state', () => {
  const few = draw(oneVpc([subnet('s', stationsOf('i', GROUPED_FROM - 1))]), view())
  expect(ids(few, 'station')).toHaveLength(GROUPED_FROM - 1)
  expect(ids(few, 'group')).toEqual([])
  const many = draw(oneVpc([subnet('s', stationsOf('i', 500))]), view())
  expect(ids(many, 'station')).toEqual([])
  expect(ids(many, 'group')).toEqual(['s works', 's failed', 's off'])
})

test('an open group shows its instances, a closed one only instances on the path of a packet', () => {
  const graph = oneVpc([subnet('s', stationsOf('i', 500))])
  const closed = draw(graph, view([], ['i-1']))
  expect(ids(closed, 'station')).toEqual(['i-1'])
  const open = draw(graph, view(['s works']))
  expect(ids(open, 'station')).toHaveLength(167)
})

test('a growing subnet is not grouped while it is visible', () => {
  const before = draw(oneVpc([subnet('s', stationsOf('i', 3))]), view())
  const after = draw(oneVpc([subnet('s', stationsOf('i', 30))]), view(), before.memory)
  expect(ids(after, 'group')).toEqual([])
  expect(after.items.find(({ id }) => id === 'i-2')!.box).toEqual(
    before.items.find(({ id }) => id === 'i-2')!.box,
  )
})

test('a closed subnet hides its instances, and its neighbours stay', () => {
  const graph = oneVpc([subnet('a', stationsOf('x', 3)), subnet('b', stationsOf('y', 3))])
  const open = draw(graph, view())
  const closed = draw(graph, view(['a']), open.memory)
  expect(ids(closed, 'station')).toEqual(['y-0', 'y-1', 'y-2'])
  expect(boxes(closed, ['station'])).toEqual(
    new Map([...boxes(open, ['station'])].filter(([id]) => id.startsWith('y'))),
  )
})

test('each position in the tree is counted among its siblings', () => {
  const { items } = draw(oneVpc([subnet('s', stationsOf('i', 3))]), view())
  expect(items.map(({ id, level, position, among }) => [id, level, position, among])).toEqual([
    ['internet', 1, 1, 2],
    ['v', 1, 2, 2],
    ['r', 2, 1, 2],
    ['s', 2, 2, 2],
    ['i-0', 3, 1, 3],
    ['i-1', 3, 2, 3],
    ['i-2', 3, 3, 3],
  ])
})

test('keys navigate the tree', () => {
  const { items } = draw(oneVpc([subnet('s', stationsOf('i', 3))]), view())
  const walk = (from: string, ...keys: string[]) =>
    keys.reduce((at, key) => itemByKey(items, at, key) ?? at, from)
  expect(walk('internet', 'ArrowDown', 'ArrowRight', 'ArrowDown')).toBe('s')
  expect(walk('s', 'ArrowRight', 'ArrowDown', 'ArrowLeft')).toBe('s')
  expect(walk('internet', 'End')).toBe('i-2')
  expect(walk('i-2', 'Home', 'ArrowUp')).toBe('internet')
  expect(walk('internet', 'S', 's')).toBe('s')
})

test('places are kept, and reassigned only on request', () => {
  expect(keepSlots(['a', 'b', 'c'], ['a', 'c', 'd'], true)).toEqual(['a', 'd', 'c'])
  expect(keepSlots(['a', 'b', 'c'], ['a', 'c', 'd'], false)).toEqual(['a', 'b', 'c', 'd'])
  expect(keepSlots(undefined, ['b', 'a'], true)).toEqual(['b', 'a'])
})
