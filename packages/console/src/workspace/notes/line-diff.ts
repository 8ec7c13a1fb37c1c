/** The difference of two texts, line by line. */
export interface DiffLine {
  change: 'same' | 'added' | 'removed'
  text: string
}

/** Pairs of lines that are compared; beyond this, all differing lines are replaced. */
const PAIRS_MAX = 250_000

const as = (change: DiffLine['change'], lines: readonly string[]): DiffLine[] =>
  lines.map((text) => ({ change, text }))

/** The shortest difference, by the longest common lines. */
function compare(old: readonly string[], now: readonly string[]): DiffLine[] {
  if (old.length * now.length > PAIRS_MAX) return [...as('removed', old), ...as('added', now)]
  const common = Array.from({ length: old.length + 1 }, () =>
    Array.from<number>({ length: now.length + 1 }).fill(0),
  )
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i]![j] =
        old[i] === now[j]
          ? common[i + 1]![j + 1]! + 1
          : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
    }
  }
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push({ change: 'same', text: old[i++]! })
      j++
    } else if (common[i + 1]![j]! >= common[i]![j + 1]!) {
      lines.push({ change: 'removed', text: old[i++]! })
    } else lines.push({ change: 'added', text: now[j++]! })
  }
  return [...lines, ...as('removed', old.slice(i)), ...as('added', now.slice(j))]
}

/** The difference of two texts. Equal lines at both ends are not compared with others. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const shorter = Math.min(old.length, now.length)
  let start = 0
  while (start < shorter && old[start] === now[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++
  return [
    ...as('same', old.slice(0, start)),
    ...compare(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...as('same', old.slice(old.length - end)),
  ]
}
