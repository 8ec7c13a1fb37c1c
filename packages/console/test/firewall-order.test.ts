/** Reordering firewall rules by changing their priorities. */
import { FIREWALL_PRIORITY_MAX } from '@steading/api/rules'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareRules,
  moved,
  type Ordered,
  reorder,
} from '../src/networking/firewall-rules/order.ts'

const rule = (name: string, priority: number, action: 'allow' | 'deny' = 'allow'): Ordered => ({
  name,
  priority,
  action,
})
const namesOf = (rules: Ordered[]) => rules.map(({ name }) => name)
/** The priorities after moving one rule, in the new order. */
const after = (rules: Ordered[], name: string, to: number) =>
  reorder(rules, moved(namesOf(rules), name, to)).map((each) => [each.name, each.priority])

const three = [rule('a', 100), rule('b', 200), rule('c', 300)]

test.each<[string, Ordered[], string, number, [string, number][]]>([
  [
    'up, with room',
    three,
    'c',
    1,
    [
      ['a', 100],
      ['c', 190],
      ['b', 200],
    ],
  ],
  [
    'to the top',
    three,
    'c',
    0,
    [
      ['c', 90],
      ['a', 100],
      ['b', 200],
    ],
  ],
  [
    'to the end',
    three,
    'a',
    2,
    [
      ['b', 200],
      ['c', 300],
      ['a', 310],
    ],
  ],
  [
    'between neighbours without room',
    [rule('a', 0), rule('b', 1), rule('c', 1), rule('d', 2), rule('e', 50)],
    'e',
    1,
    [
      ['a', 0],
      ['e', 1],
      ['b', 2],
      ['c', 2],
      ['d', 3],
    ],
  ],
  [
    'to the end of the last priorities',
    [rule('a', 65534), rule('b', 65535), rule('c', 65535)],
    'a',
    2,
    [
      ['b', 65534],
      ['c', 65534],
      ['a', 65535],
    ],
  ],
  [
    'among rules that a new VPC has',
    [rule('allow-icmp', 65534), rule('allow-internal-inbound', 65534), rule('allow-ssh', 65534)],
    'allow-ssh',
    0,
    [
      ['allow-ssh', 65524],
      ['allow-icmp', 65534],
      ['allow-internal-inbound', 65534],
    ],
  ],
  [
    'nowhere',
    three,
    'b',
    1,
    [
      ['a', 100],
      ['b', 200],
      ['c', 300],
    ],
  ],
])('a rule is moved %s', (_, rules, name, to, expected) =>
  expect(after(rules, name, to)).toEqual(expected),
)

test('deny rules precede others of the same priority, then the name decides', () => {
  const rules = [rule('b', 1), rule('z', 1, 'deny'), rule('a', 1), rule('c', 0)]
  expect(namesOf(rules.toSorted(compareRules))).toEqual(['c', 'z', 'a', 'b'])
})

describe('for any rules', () => {
  const priority = fc.oneof(
    fc.integer({ min: 0, max: FIREWALL_PRIORITY_MAX }),
    fc.integer({ min: 0, max: 5 }),
    fc.integer({ min: FIREWALL_PRIORITY_MAX - 3, max: FIREWALL_PRIORITY_MAX }),
  )
  const some = fc
    .array(fc.record({ priority, action: fc.constantFrom('allow', 'deny') }), {
      minLength: 1,
      maxLength: 12,
    })
    .map((all) =>
      all.map((each, index): Ordered => ({ ...each, name: `r${index}` })).toSorted(compareRules),
    )
  const shuffled = some.chain((rules) =>
    fc.tuple(fc.constant(rules), fc.shuffledSubarray(namesOf(rules), { minLength: rules.length })),
  )

  test('the priorities are valid and yield the requested order', () => {
    fc.assert(
      fc.property(shuffled, ([rules, names]) => {
        const next = reorder(rules, names)
        expect(namesOf(next.toSorted(compareRules))).toEqual(names)
        for (const each of next) {
          expect(each.priority).toBeGreaterThanOrEqual(0)
          expect(each.priority).toBeLessThanOrEqual(FIREWALL_PRIORITY_MAX)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('an unchanged order changes nothing', () => {
    fc.assert(
      fc.property(some, (rules) => {
        expect(reorder(rules, namesOf(rules))).toEqual(rules)
      }),
    )
  })

  test('moving a rule to a free priority changes only that rule', () => {
    fc.assert(
      fc.property(fc.nat({ max: 20 }), fc.nat({ max: 20 }), (from, to) => {
        const rules = Array.from({ length: 21 }, (_, index) =>
          rule(`r${String(index).padStart(2, '0')}`, 100 + index * 100),
        )
        const { name } = rules[from]!
        const old = new Map(rules.map((each) => [each.name, each.priority]))
        const changed = after(rules, name, to).filter(
          ([one, now]) => old.get(one as string) !== now,
        )
        // When neighbours swap, either may be the moved one.
        expect(changed.length).toBe(from === to ? 0 : 1)
      }),
    )
  })
})

test('a thousand rules can be reversed', () => {
  const rules = Array.from({ length: 1024 }, (_, index) => rule(`r${index}`, index)).toSorted(
    compareRules,
  )
  const names = namesOf(rules).toReversed()
  expect(namesOf(reorder(rules, names).toSorted(compareRules))).toEqual(names)
})
