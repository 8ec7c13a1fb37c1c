/** The names of saved views, and their order, in which the list without a view is at position zero. */
import { VIEW_NAME_MAX } from './limits.ts'

/** Why a view cannot have a name, or undefined if it can. */
export function viewNameProblem(name: string): string | undefined {
  if (name.trim() !== name) return 'name must not begin or end with a space'
  if (name === '') return 'name requires at least one character'
  return name.length > VIEW_NAME_MAX
    ? `name may contain at most ${VIEW_NAME_MAX} characters`
    : undefined
}

/** The same rule in the words of a form, which removes spaces at both ends. */
export function viewNameFieldProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Name is required'
  return name.trim().length > VIEW_NAME_MAX
    ? `Must be ${VIEW_NAME_MAX} characters or fewer`
    : undefined
}

interface Placed {
  position: number
}

/** Room between positions, so that one view can be moved without the others. */
const STEP = 1000

const positions = (views: readonly Placed[]): number[] => views.map(({ position }) => position)

/** Where a view comes after all others, and after the list without a view. */
export const lastPosition = (views: readonly Placed[]): number =>
  Math.max(0, ...positions(views)) + STEP

/** Where a view comes before all others, and before the list without a view. */
export const firstPosition = (views: readonly Placed[]): number =>
  Math.min(0, ...positions(views)) - STEP

/** The view with which a list opens: the first one, if it comes before the list without a view. */
export const defaultOf = <View extends Placed>(views: readonly View[]): View | undefined =>
  views[0] && views[0].position < 0 ? views[0] : undefined
