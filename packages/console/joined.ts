/**
 * Which parts of the bundle that several areas need are joined to one file. Each part by itself would
 * be loaded only where it is needed, but a page should need few files.
 */

/** What is loaded together, and how many files it may be. */
export interface Visit {
  modules: ReadonlySet<string>
  files: number
}

interface Part {
  modules: string[]
  size: number
  /** Other parts that its modules import, directly or not. */
  needs: Set<Part>
}

interface Sizes {
  closure: (roots: Iterable<string>) => Set<string>
  sizeOf: (id: string) => number
}

/** Everything that is loaded with some parts. */
function withNeeded(parts: Iterable<Part>): Set<Part> {
  const found = new Set(parts)
  for (const part of found) for (const next of part.needs) found.add(next)
  return found
}

const sizeOfAll = (parts: Iterable<Part>): number => {
  let sum = 0
  for (const { size } of parts) sum += size
  return sum
}

/** Whether one part needs the other through a third: joined, they would need each other. */
const areApart = (one: Part, other: Part): boolean =>
  [...one.needs].some((between) => between !== other && withNeeded([between]).has(other))

function partsOf(groups: string[][], { closure, sizeOf }: Sizes): Part[] {
  const parts = groups.map((modules): Part => {
    const size = modules.reduce((sum, id) => sum + sizeOf(id), 0)
    return { modules, size, needs: new Set() }
  })
  const byModule = new Map(parts.flatMap((part) => part.modules.map((id) => [id, part])))
  for (const part of parts) {
    for (const id of closure(part.modules)) {
      const needed = byModule.get(id)
      if (needed && needed !== part) part.needs.add(needed)
    }
  }
  return parts
}

/**
 * Joins groups of modules, those first that add least to what is loaded, until no visit needs more
 * files than it may.
 */
export function joined(groups: string[][], visits: readonly Visit[], sizes: Sizes): string[][] {
  let parts = partsOf(groups, sizes)
  const loads = visits.map(({ modules, files }) => ({
    files,
    parts: new Set(parts.filter((part) => part.modules.some((id) => modules.has(id)))),
  }))
  /** What all visits load if two parts are one. */
  const costOf = (one: Part, other: Part): number => {
    let sum = 0
    for (const load of loads) {
      const needed = withNeeded(load.parts)
      const both = needed.has(one) || needed.has(other) ? [one, other] : []
      sum += sizeOfAll(withNeeded([...needed, ...both]))
    }
    return sum
  }
  for (;;) {
    const crowded = loads.find((load) => withNeeded(load.parts).size > load.files)
    if (!crowded) return parts.map(({ modules }) => modules)
    const candidates = [...withNeeded(crowded.parts)]
    const pairs = candidates.flatMap((one, index) =>
      candidates.slice(index + 1).map((other) => [one, other] as const),
    )
    const [best] = pairs
      .filter(([one, other]) => !areApart(one, other) && !areApart(other, one))
      .map(([one, other]) => ({ one, other, cost: costOf(one, other) }))
      .toSorted((a, b) => a.cost - b.cost)
    if (!best) return parts.map(({ modules }) => modules)
    const { one, other } = best
    one.modules.push(...other.modules)
    one.size += other.size
    const replace = (set: Set<Part>) => {
      if (set.delete(other)) set.add(one)
    }
    for (const need of other.needs) one.needs.add(need)
    for (const part of parts) replace(part.needs)
    one.needs.delete(one)
    for (const load of loads) replace(load.parts)
    parts = parts.filter((part) => part !== other)
  }
}
