/**
 * Assigns places in a row. A thing keeps its place as long as the map is shown, so that nothing
 * moves when others appear or disappear. The place of a removed thing stays empty, or goes to a new
 * thing.
 */
export function keepSlots(
  before: readonly string[] | undefined,
  ids: readonly string[],
  refill: boolean,
): string[] {
  if (!before) return [...ids]
  const there = new Set(ids)
  const placed = new Set(before)
  const slots = [...before]
  let free = 0
  for (const id of ids) {
    if (placed.has(id)) continue
    while (refill && free < slots.length && there.has(slots[free]!)) free++
    if (refill && free < slots.length) slots[free++] = id
    else slots.push(id)
  }
  return slots
}
