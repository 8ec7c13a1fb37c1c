import { breathe } from './breathe.ts'

/** Ids looked up at once. */
const PAGE = 100

/**
 * Deletes the bytes that belong to no row: a step that was cut off has left them behind.
 * @param ids what the engine has; read before the rows, which come first and go last
 * @param owners of some ids, those that belong to a row
 */
export async function removeOrphans(
  ids: string[],
  owners: (some: string[]) => Promise<{ id: string }[]>,
  remove: (id: string) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += PAGE) {
    const some = ids.slice(at, at + PAGE)
    const owned = new Set((await owners(some)).map(({ id }) => id))
    for (const id of some) if (!owned.has(id)) await remove(id)
    await breathe()
  }
}
