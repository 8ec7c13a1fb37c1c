/**
 * Places in a row. What has a place keeps it as long as the picture is looked at, so that nothing
 * moves when something else comes or goes. The place of a thing that is gone stays empty, or is given
 * to a new thing.
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
