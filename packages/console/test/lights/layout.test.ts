import { levelOf } from '@steading/api/rules'
import { describe, expect, test } from 'vitest'
import {
  type Box,
  type Direction,
  type Layout,
  layOut,
  lightAt,
  nextLight,
  type Room,
  SLOTS,
  storeysOf,
  type UnitShape,
} from '../../src/observability/lights/layout.ts'
import { seat, type Seats } from '../../src/observability/lights/seats.ts'

const desktop: Room = { width: 1100, height: 340, hasRoof: true }
const phone: Room = { width: 326, height: 300, hasRoof: true }
const strip: Room = { width: 1100, height: 80, hasRoof: false }

const units = (count: number, slots: number, disks = 0, group = 'rack'): UnitShape[] =>
  Array.from({ length: count }, () => ({ group, slots, disks }))

const contains = (outer: Box, { x, y, width, height }: Box): boolean =>
  x >= outer.x - 0.01 &&
  y >= outer.y - 0.01 &&
  x + width <= outer.x + outer.width + 0.01 &&
  y + height <= outer.y + outer.height + 0.01
const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

/** Index of the first storey of a unit, or the number of storeys. */
function first({ storeys }: Layout, index: number): number {
  const found = storeys.findIndex(({ unit }) => unit === index)
  return found < 0 ? storeys.length : found
}

test.each<[slots: number, disks: number, storeys: number]>([
  [0, 0, 1],
  [SLOTS, 0, 1],
  [SLOTS, 1, 2],
  [SLOTS - 5, 10, 1],
  [SLOTS - 4, 10, 2],
  [100, 0, 7],
])('%i places and %i disks need %i storeys', (slots, disks, storeys) => {
  expect(storeysOf({ group: null, slots, disks })).toBe(storeys)
})

describe.each<[name: string, room: Room]>([
  ['a wide window', desktop],
  ['a phone', phone],
  ['a strip', strip],
])('in %s', (_, room) => {
  test.each<[name: string, shapes: UnitShape[]]>([
    ['nothing', []],
    ['one sled', units(1, 3, 10)],
    ['four sleds', units(4, 9, 10)],
    ['a thousand machines', units(32, 32, 10)],
    ['uneven units', [...units(1, 400), ...units(20, 2)]],
    ['two racks', [...units(5, 4, 2, 'one'), ...units(20, 30, 2, 'two')]],
    ['the limit', units(500, 8, 2)],
  ])('%s fits, and nothing is on something else', (__, shapes) => {
    const layout = layOut(shapes, room)
    const whole: Box = { x: 0, y: 0, width: room.width, height: room.height }
    expect(layout.scale).toBeGreaterThan(0)
    for (const barn of layout.barns) expect(contains(whole, barn)).toBe(true)
    for (const [index, barn] of layout.barns.entries()) {
      expect(layout.barns.slice(index + 1).filter((other) => overlap(barn, other))).toEqual([])
    }
    const outside: Box[] = []
    for (const [index, { light, instances, disks }] of layout.units.entries()) {
      const { slots, disks: count } = shapes[index]!
      const own = layout.storeys.slice(first(layout, index), first(layout, index + 1))
      const of = own.filter(({ unit }) => unit === index)
      if (instances.length !== slots || disks.length !== count) outside.push(light)
      if (of.length !== storeysOf(shapes[index]!)) outside.push(light)
      const lights = [light, ...instances, ...disks]
      for (const [place, one] of lights.entries()) {
        const next = lights[place + 1]
        const isOn = of.filter((storey) => contains(storey, one)).length === 1
        if (!isOn || (next && overlap(one, next))) outside.push(one)
      }
    }
    expect(outside).toEqual([])
  })
})

test('units of different racks are in different barns', () => {
  const shapes = [...units(2, 4, 0, 'one'), ...units(2, 4, 0, 'two')]
  const { barns, units: placed } = layOut(shapes, desktop)
  const barnOf = (index: number) => barns.findIndex((barn) => contains(barn, placed[index]!.light))
  expect([0, 1, 2, 3].map(barnOf)).toEqual([0, 0, 1, 1])
})

test('a small rack is one barn, a large one several', () => {
  expect(layOut(units(4, 9, 10), desktop).barns).toHaveLength(1)
  expect(layOut(units(32, 32, 10), desktop).barns.length).toBeGreaterThan(3)
})

const square = (x: number, y: number): Box => ({ x, y, width: 10, height: 10 })
/** Three lights in the first line, two in the second, one in the third. */
const lights = [
  square(0, 0),
  square(20, 0),
  square(40, 0),
  square(0, 30),
  square(20, 30),
  square(20, 60),
]

test.each<[from: number, key: Direction, to: number]>([
  [0, 'ArrowRight', 1],
  [2, 'ArrowRight', 3],
  [5, 'ArrowRight', 5],
  [0, 'ArrowLeft', 0],
  [3, 'ArrowLeft', 2],
  [1, 'ArrowDown', 4],
  [2, 'ArrowDown', 4],
  [4, 'ArrowDown', 5],
  [5, 'ArrowDown', 5],
  [5, 'ArrowUp', 4],
  [3, 'ArrowUp', 0],
  [1, 'ArrowUp', 1],
  [4, 'Home', 0],
  [1, 'End', 5],
])('from light %i, %s leads to light %i', (from, key, to) => {
  expect(nextLight(lights, from, key)).toBe(to)
})

test.each<[x: number, y: number, found: number]>([
  [5, 5, 0],
  [14, 5, 0],
  [16, 5, 1],
  [25, 42, 4],
  [200, 200, -1],
])('at %i, %i is light %i', (x, y, found) => {
  expect(lightAt(lights, { x, y }, 8)).toBe(found)
})

test.each<[name: string, before: Seats, ids: string[], after: Seats]>([
  ['first', [], ['a', 'b'], ['a', 'b']],
  ['that stay, in another order', ['a', 'b'], ['b', 'a'], ['a', 'b']],
  ['that go leave their places', ['a', 'b', 'c'], ['a', 'c'], ['a', null, 'c']],
  [
    'that come take the first empty place',
    ['a', null, 'c'],
    ['c', 'd', 'a', 'e'],
    ['a', 'd', 'c', 'e'],
  ],
  ['that go at the end', ['a', null, 'c'], ['a'], ['a']],
  ['that all go', ['a'], [], []],
])('lights %s', (_, before, ids, after) => {
  expect(seat(before, ids)).toEqual(after)
})

test.each<[counts: number[], most: number, level: number]>([
  [[], 10, 10],
  [[3, 4], 10, 10],
  [[10, 10], 10, 5],
  [[1, 20, 20], 11, 5],
  [[1, 1, 1], 2, 0],
])('of %j lights, %i are shared at a level of %i', (counts, most, level) => {
  expect(levelOf(counts, most)).toBe(level)
})
