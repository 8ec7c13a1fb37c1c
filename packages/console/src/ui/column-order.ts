/** The order of a table's columns, whose first column stays first. */

/**
 * Chosen columns in their order. An added column follows the column that precedes it by default.
 * @param order the shown columns
 * @param all all columns in their default order
 * @param chosen the columns to show
 */
export function orderWith(
  order: readonly string[],
  all: readonly string[],
  chosen: ReadonlySet<string>,
): string[] {
  const next = order.filter((id) => chosen.has(id))
  all.forEach((id, index) => {
    if (!chosen.has(id) || next.includes(id)) return
    const before = all.slice(0, index).findLast((each) => next.includes(each))
    next.splice(before === undefined ? 0 : next.indexOf(before) + 1, 0, id)
  })
  return next
}

/** Columns after one of them moved to the place of another. */
export function withMoved(order: readonly string[], id: string, place: string): string[] {
  const to = order.indexOf(place)
  return order.filter((each) => each !== id).toSpliced(to, 0, id)
}
