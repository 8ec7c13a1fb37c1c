/** The first value that occurs a second time, or undefined. */
export function firstRepeated<Value>(values: readonly Value[]): Value | undefined {
  const seen = new Set<Value>()
  return values.find((value) => {
    if (seen.has(value)) return true
    seen.add(value)
    return false
  })
}
