import { byPosition, movedPositions, viewCannotMove, viewOrder } from '@steading/api/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'

interface View {
  id: string
  name: string
  position: number
}

const views = (...positions: number[]): View[] =>
  positions
    .map((position, index) => ({ id: String(index), name: `view ${index}`, position }))
    .toSorted(byPosition)

const after = (before: View[], changed: ReadonlyMap<View, number>): View[] =>
  before
    .map((view) => ({ ...view, position: changed.get(view) ?? view.position }))
    .toSorted(byPosition)

const names = (of: View[]) => viewOrder(of).map((view) => view?.id)

const near = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 8 })
const far = fc.array(fc.integer({ min: -5000, max: 5000 }), { minLength: 1, maxLength: 8 })

test('a move swaps a view with its neighbour, and nothing else', () => {
  fc.assert(
    fc.property(
      fc.oneof(near, far),
      fc.nat(),
      fc.constantFrom('up' as const, 'down' as const),
      (positions, which, step) => {
        const all = views(...positions)
        const view = all[which % all.length]!
        const changed = movedPositions(all, view, step)
        const expected = names(all)
        const from = expected.indexOf(view.id)
        const to = from + (step === 'up' ? -1 : 1)
        if (viewCannotMove(all, view, step)) {
          expect(changed.size).toBe(0)
        } else {
          ;[expected[from], expected[to]] = [expected[to], expected[from]]
        }
        expect(names(after(all, changed))).toEqual(expected)
      },
    ),
  )
})

test('only the moved view changes while there is a gap', () => {
  const all = views(-1000, 1000, 2000, 3000)
  for (const view of all) {
    for (const step of ['up', 'down'] as const) {
      const changed = [...movedPositions(all, view, step).keys()]
      expect(changed).toEqual(viewCannotMove(all, view, step) ? [] : [view])
    }
  }
})
