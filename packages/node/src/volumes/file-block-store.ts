import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type BlockStore, BusyBytes, NoSpaceError } from '@steading/control-plane/ports'
import { errorCode, ifMissing } from '@steading/files'
import { checkVolume } from './check.ts'
import { isUnfinished } from './names.ts'
import { CLOSED, Ownership } from './ownership.ts'
import type { Reached } from './steps.ts'
import { idOfUnfinished, Volume } from './volume.ts'

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

/**
 * A block store of sparse files below a directory. Several processes may use it: each has turns
 * with a volume, in which it alone touches the files (`Ownership`).
 *
 * Bytes of a completed write survive a power failure: the file is synced, and so are the
 * directories above it. Copies share files until one of them is written to.
 *
 * @param reached for tests
 */
export function fileBlockStore(root: string, reached: Reached = ignore): BlockStore {
  /** Volumes of calls in this process's turns. */
  const volumes = new Map<string, Volume>()
  const path = (id: string) => join(root, id)
  const volume = (id: string): Volume => {
    let found = volumes.get(id)
    if (!found) volumes.set(id, (found = new Volume(path(id), reached)))
    return found
  }
  const closeFiles = async (id: string) => {
    await volumes.get(id)?.closeFiles()
    volumes.delete(id)
  }
  const ownership = new Ownership(root, closeFiles, reached)
  const owning = <T>(id: string, work: (volume: Volume) => Promise<T>): Promise<T> =>
    ownership.run([id], () => work(volume(id)))

  const background = new Set<Promise<void>>()
  let isClosed = false
  const rest = async () => {
    if (isClosed) throw new Error(CLOSED)
    await setImmediate()
  }
  const check: BlockStore['check'] = (id, throttle) =>
    checkVolume(path(id), (work) => owning(id, (volume) => volume.alone(work)), throttle, reached)

  return {
    async open() {
      isClosed = false
      // Readable by the owner only, because it holds the contents of users' disks.
      await mkdir(root, { recursive: true, mode: 0o700 })
      await ownership.open()
      for (const name of await readdir(root)) {
        const id = idOfUnfinished(name)
        if (id === undefined) continue
        const removing = () => rm(join(root, name), { recursive: true, force: true })
        // A volume in use is left to the process that uses it.
        await ownership.run([id], removing).catch((error: unknown) => {
          if (!(error instanceof BusyBytes)) throw error
        })
      }
    },
    async close() {
      isClosed = true
      await Promise.all(background)
      await ownership.close()
    },
    async list() {
      return (await readdir(root)).filter((name) => !isUnfinished(name))
    },
    has: (id) => stat(path(id)).then(() => true, ifMissing(false)),
    write: (id, offset, data) => full(owning(id, (volume) => volume.write(offset, data))),
    read: (id, offset, length) => owning(id, (volume) => volume.read(offset, length)),
    written: (id) => owning(id, (volume) => volume.written()),
    async seal(id) {
      await owning(id, (volume) => volume.seal())
      // While the bytes are still in memory. After a failure, the next check computes them.
      const summing = check(id, rest)
        .then(ignore, ignore)
        .finally(() => background.delete(summing))
      background.add(summing)
    },
    check,
    copy: (from, to) => full(ownership.run([from, to], () => volume(from).copyTo(path(to)))),
    remove: (id) => owning(id, (volume) => volume.remove()),
  }
}
