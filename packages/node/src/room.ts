/** Room on the disk of the data directory. */
import { randomFillSync } from 'node:crypto'
import { open, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlockStore, NoSpaceError, type Reserve } from '@steading/control-plane'
import { errorCode } from './errors.ts'

/** Bytes: some thousand commits of sessions and deletes. */
const RESERVE_BYTES = 16 * 1024 * 1024
/** The reserve is given up when there are fewer bytes than this beside it. */
const LOW_BYTES = RESERVE_BYTES / 4
const PIECE_BYTES = 1024 * 1024

/** Bytes that this user may still use on the disk of a directory. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/** The error of a disk, or of a user's share of it, that is used up. */
export const isNoSpace = (error: unknown): boolean =>
  errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT'

/** A reserve in the form of a file that takes up the room. */
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
      // Random: file systems that compress would make nothing of zeros.
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
 * A block store that takes no more bytes when the disk would have fewer left than a margin, so that
 * uploads do not take the last room from the database.
 */
export const keepingFree = (
  store: BlockStore,
  directory: string,
  marginBytes: number,
): BlockStore => ({
  ...store,
  async write(id, offset, data) {
    if ((await freeBytes(directory)) - data.length < marginBytes) {
      throw new NoSpaceError('the room that is left belongs to the database')
    }
    await store.write(id, offset, data)
  },
})
