/** Free space on the disk of the data directory. */
import { randomFillSync } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlockStore, NoSpaceError, type Reserve } from '@steading/control-plane/ports'
import { freeBytes, freeSpace, isNoSpace } from '@steading/files'

/** Bytes of the reserve: enough for thousands of commits of sessions and deletes. */
export const RESERVE_BYTES = 16 * 1024 * 1024
/** The reserve is released when less than this is free besides it. */
const LOW_BYTES = RESERVE_BYTES / 4
const PIECE_BYTES = 1024 * 1024

/** A reserve in the form of a file. */
export function fileReserve(directory: string): Reserve {
  const path = join(directory, 'reserve')
  const unfinished = `${path}.part`

  const release = async () => {
    await rm(path, { force: true })
    await rm(unfinished, { force: true })
  }
  const isHeld = () =>
    stat(path).then(
      ({ size }) => size >= RESERVE_BYTES,
      () => false,
    )
  const take = async () => {
    const file = await open(unfinished, 'w', 0o600)
    try {
      // Random bytes, because file systems with compression store zeros without using space.
      const piece = randomFillSync(new Uint8Array(PIECE_BYTES))
      for (let done = 0; done < RESERVE_BYTES; done += PIECE_BYTES) await file.writeFile(piece)
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  }

  return {
    release,
    async restore() {
      const free = await freeBytes(directory)
      if (await isHeld()) {
        if (free >= LOW_BYTES) return true
        await release()
        return false
      }
      if (free < RESERVE_BYTES + 2 * LOW_BYTES) return false
      try {
        await take()
        return true
      } catch (error) {
        await release()
        if (isNoSpace(error)) return false
        throw error
      }
    },
  }
}

/**
 * A block store that refuses writes that would leave less than a margin free on the disk, so that
 * uploads do not take the last space from the database.
 */
export function keepingFree(store: BlockStore, directory: string, marginBytes: number): BlockStore {
  const { room, take } = freeSpace(() => freeBytes(directory), marginBytes)
  return {
    ...store,
    room,
    async write(id, offset, data) {
      if (!(await take(data.length)))
        throw new NoSpaceError('the remaining space is reserved for the database')
      await store.write(id, offset, data)
    },
  }
}
