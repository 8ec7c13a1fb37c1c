/** Selects the values of an attribute that match a filter. */
import { type Attribute, named } from './attributes.ts'
import { bad } from './errors.ts'
import type { ComparedValue, Comparison, Filter } from './filter.ts'

type Value = Readonly<Record<string, unknown>>

const ordered = (compare: (order: number) => boolean) => (has: ComparedValue, is: ComparedValue) =>
  typeof has === typeof is && has !== null && is !== null && typeof has !== 'boolean'
    ? compare(has < is ? -1 : has > is ? 1 : 0)
    : false

const ofTexts =
  (compare: (has: string, is: string) => boolean) => (has: ComparedValue, is: ComparedValue) =>
    typeof has === 'string' && typeof is === 'string' && compare(has, is)

const compares: Record<Comparison, (has: ComparedValue, is: ComparedValue) => boolean> = {
  eq: (has, is) => has === is,
  ne: (has, is) => has !== is,
  co: ofTexts((has, is) => has.includes(is)),
  sw: ofTexts((has, is) => has.startsWith(is)),
  ew: ofTexts((has, is) => has.endsWith(is)),
  gt: ordered((order) => order > 0),
  ge: ordered((order) => order >= 0),
  lt: ordered((order) => order < 0),
  le: ordered((order) => order <= 0),
}

const folded = (value: ComparedValue, { caseExact }: Attribute): ComparedValue =>
  typeof value === 'string' && !caseExact ? value.toLowerCase() : value

/**
 * Whether a value of a complex attribute matches a filter.
 * @param sub the possible parts of such a value
 * @throws ApiError 400 `invalidFilter` for an unknown part
 */
export function matches(filter: Filter, value: Value, sub: readonly Attribute[]): boolean {
  const partOf = (name: string): Attribute => {
    const part = named(sub, name)
    if (!part) throw bad('invalidFilter', `There is no attribute ${name}`)
    return part
  }
  switch (filter.kind) {
    case 'compare': {
      const part = partOf(filter.path.name)
      const has = (value[part.name] ?? null) as ComparedValue
      return compares[filter.operator](folded(has, part), folded(filter.value, part))
    }
    case 'present':
      return value[partOf(filter.path.name).name] !== undefined
    case 'and': {
      // Both are evaluated, so that a mistake in either is reported.
      const both = [matches(filter.left, value, sub), matches(filter.right, value, sub)]
      return both.every(Boolean)
    }
    case 'or': {
      const either = [matches(filter.left, value, sub), matches(filter.right, value, sub)]
      return either.some(Boolean)
    }
    case 'not':
      return !matches(filter.filter, value, sub)
    case 'some':
      throw bad('invalidFilter', 'The filter is nested too deep')
  }
}

/**
 * The comparisons with `eq` that a filter joins with `and`.
 * @returns undefined if the filter contains anything else
 */
export function equalities(
  filter: Filter,
): { path: (Filter & { kind: 'compare' })['path']; value: ComparedValue }[] | undefined {
  switch (filter.kind) {
    case 'compare':
      return filter.operator === 'eq' ? [filter] : undefined
    case 'and': {
      const [left, right] = [equalities(filter.left), equalities(filter.right)]
      return left && right && [...left, ...right]
    }
    case 'some': {
      // With one comparison, `members[value eq "…"]` means the same as `members.value eq "…"`.
      const [only, ...others] = equalities(filter.filter) ?? []
      if (!only || others.length > 0) return undefined
      return [{ path: { ...filter.path, sub: only.path.name }, value: only.value }]
    }
    default:
      return undefined
  }
}
