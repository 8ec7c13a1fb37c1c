/** Versions of the API in which schemas changed. */
import { changedSchemas } from './generated/version-facts.ts'
import type { Shape } from './shape.ts'

const hasProperty = (shape: Shape | null, name: string): boolean =>
  typeof shape === 'object' && shape !== null && (name in shape || `${name}?` in shape)

/**
 * The version in which a schema gained or lost a property.
 * @throws Error if it never did
 */
export function versionOfProperty(schema: string, name: string): number {
  const shapes = Object.entries(changedSchemas[schema] ?? {})
  const index = shapes.findIndex(
    ([, shape], at) => at > 0 && hasProperty(shape, name) !== hasProperty(shapes[at - 1]![1], name),
  )
  if (index < 0) throw new Error(`the property ${name} of ${schema} never came or went`)
  return Number(shapes[index]![0])
}

/**
 * The last version in which a schema changed.
 * @throws Error if it never did
 */
export function lastChangeOf(schema: string): number {
  const last = Object.keys(changedSchemas[schema] ?? {}).at(-1)
  if (last === undefined) throw new Error(`${schema} never changed`)
  return Number(last)
}
