/** Names and order of saved views. The plain list, without a view, is at position zero. */
import { VIEW_NAME_MAX } from '../../rules/limits.ts'

/** Problem with the name of a view, or undefined. */
export function viewNameProblem(name: string): string | undefined {
  if (name.trim() !== name) return 'name must not begin or end with a space'
  if (name === '') return 'name requires at least one character'
  return name.length > VIEW_NAME_MAX
    ? `name may contain at most ${VIEW_NAME_MAX} characters`
    : undefined
}

/** The same rule with form messages; the form trims spaces at both ends. */
export function viewNameFieldProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Name is required'
  return name.trim().length > VIEW_NAME_MAX
    ? `Must be ${VIEW_NAME_MAX} characters or fewer`
    : undefined
}

interface Placed {
  position: number
}

/** Gap between positions, so that one view can be moved without the others. */
const STEP = 1000

const positions = (views: readonly Placed[]): number[] => views.map(({ position }) => position)

/** Position after all other views and the plain list. */
export const lastPosition = (views: readonly Placed[]): number =>
  Math.max(0, ...positions(views)) + STEP

/** Position before all other views and the plain list. */
export const firstPosition = (views: readonly Placed[]): number =>
  Math.min(0, ...positions(views)) - STEP

/** Default view of a list: the first one, if it precedes the plain list. */
export const defaultOf = <View extends Placed>(views: readonly View[]): View | undefined =>
  views[0] && views[0].position < 0 ? views[0] : undefined

interface Ordered extends Placed {
  id: string
  name: string
}

export const byPosition = (a: Ordered, b: Ordered): number =>
  a.position - b.position || a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1)

/** Order shown to users; undefined stands for the plain list. */
export const viewOrder = <View extends Placed>(views: readonly View[]): (View | undefined)[] => [
  ...views.filter(({ position }) => position < 0),
  undefined,
  ...views.filter(({ position }) => position >= 0),
]

export type ViewStep = 'up' | 'down'

/** Index of the view after a step. */
const placeAfter = (views: readonly Ordered[], view: Ordered, step: ViewStep): number =>
  viewOrder(views).indexOf(view) + (step === 'up' ? -1 : 1)

/** Reason that a view cannot be moved, or undefined. */
export function viewCannotMove(
  views: readonly Ordered[],
  view: Ordered,
  step: ViewStep,
): string | undefined {
  const place = placeAfter(views, view, step)
  if (place < 0) return 'The view is the first one'
  return place > views.length ? 'The view is the last one' : undefined
}

/**
 * Positions that change when a view moves by one: its own, and others only where there is no gap.
 * @param views in order
 */
export function movedPositions<View extends Ordered>(
  views: readonly View[],
  view: View,
  step: ViewStep,
): Map<View, number> {
  const moved = new Map<View, number>()
  if (viewCannotMove(views, view, step)) return moved
  const order = viewOrder(views).filter((each) => each !== view)
  const place = placeAfter(views, view, step)
  order.splice(place, 0, view)
  const positionOf = (each: View | undefined) => (each ? (moved.get(each) ?? each.position) : 0)
  const before = place > 0 ? positionOf(order[place - 1]) : undefined
  const after = place < order.length - 1 ? positionOf(order[place + 1]) : undefined
  moved.set(view, between(before, after))
  /** Moves views that would precede their neighbour, from the plain list outwards. */
  const push = (outwards: (View | undefined)[], sign: 1 | -1) => {
    let inner: View | undefined
    for (const each of outwards) {
      const way = (positionOf(each) - positionOf(inner)) * sign
      const isUntouched = inner && each && !moved.has(inner) && !moved.has(each)
      if (each && (way < 0 || (way === 0 && !isUntouched))) {
        moved.set(each, positionOf(inner) + sign * STEP)
      }
      inner = each
    }
  }
  const all = order.indexOf(undefined)
  push(order.slice(all + 1), 1)
  push(order.slice(0, all).toReversed(), -1)
  return moved
}

/** Midpoint of two positions if there is a gap, otherwise next to the one further from zero. */
function between(before: number | undefined, after: number | undefined): number {
  if (before === undefined) return after! - STEP
  if (after === undefined) return before + STEP
  return Math.floor((before + after) / 2)
}
