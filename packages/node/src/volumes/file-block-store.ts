import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type BlockStore, NoSpaceError } from '@steading/control-plane/ports'
import { errorCode, ifMissing } from '@steading/files'
import { isUnfinished } from './names.ts'
import { OpenFiles } from './open-files.ts'
import { CLOSED, GONE, Volume } from './volume.ts'

const ignore = () => {}

const full = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new NoSpaceError('the disk is full')
    throw error
  }
}

/** Milliseconds after which unfinished files of other servers count as left by a crash. */
const ABANDONED_MS = 10 * 60 * 1000

/**
 * A block store of sparse files below a directory, for one process, or for several that share the
 * directory.
 *
 * Bytes of a completed write survive a power failure: the file is synced, and so are the
 * directories above it. Copies share files until one of them is written to. Where processes share
 * the directory, the names of unfinished files end with a suffix of their process.
 */
export function fileBlockStore(root: string, { shared } = { shared: false }): BlockStore {
  const files = new OpenFiles(shared)
  const suffix = shared ? `.${randomUUID()}` : ''
  const volumes = new Map<string, Volume>()
  const path = (id: string) => join(root, id)
  const volume = (id: string): Volume => {
    let found = volumes.get(id)
    if (!found) volumes.set(id, (found = new Volume(path(id), files, suffix)))
    return found
  }

  const background = new Set<Promise<void>>()
  let isClosed = false
  const rest = async () => {
    if (isClosed) throw new Error(CLOSED)
    await setImmediate()
  }

  return {
    async open() {
      isClosed = false
      // Readable by the owner only, because it holds the contents of users' disks.
      await mkdir(root, { recursive: true, mode: 0o700 })
      for (const name of await readdir(root)) {
        if (!isUnfinished(name)) continue
        const unfinished = join(root, name)
        // A removal begun by any server can be finished here; a copy may still be in progress.
        if (shared && !name.startsWith(GONE)) {
          const found = await stat(unfinished).catch(ifMissing(undefined))
          if (!found || Date.now() - found.mtimeMs < ABANDONED_MS) continue
        }
        await rm(unfinished, { recursive: true, force: true })
      }
    },
    async close() {
      isClosed = true
      await Promise.all(background)
      for (const open of volumes.values()) await open.close()
      volumes.clear()
    },
    async list() {
      return (await readdir(root)).filter((name) => !isUnfinished(name))
    },
    has: (id) => stat(path(id)).then(() => true, ifMissing(false)),
    async write(id, offset, data) {
      if (isClosed) throw new Error(CLOSED)
      await full(volume(id).write(offset, data))
    },
    read: (id, offset, length) => volume(id).read(offset, length),
    written: (id) => volume(id).written(),
    async seal(id) {
      await volume(id).seal()
      // While the bytes are still in memory. After a failure, the next check computes them.
      const summing = volume(id)
        .check(rest)
        .then(ignore, ignore)
        .finally(() => background.delete(summing))
      background.add(summing)
    },
    check: (id, pace) => volume(id).check(pace),
    async copy(from, to) {
      return (await this.has(to)) || full(volume(from).copyTo(path(to)))
    },
    async remove(id) {
      const removed = volume(id)
      await removed.remove()
      // A concurrent write creates it again, and opens its files.
      if (removed.isUnused) volumes.delete(id)
    },
  }
}
