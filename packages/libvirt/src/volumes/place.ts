/**
 * The directory of volumes belongs to one database: both have the same token. Another directory, such
 * as the mount point of a file system that is not mounted, would cost all disks, and one of another
 * database would lose that one's.
 */
import { readdir } from 'node:fs/promises'
import {
  claimSetting,
  type OpenDatabase,
  readSetting,
  writeSetting,
} from '@steading/control-plane/engine'
import { EngineStartError } from '@steading/control-plane/ports'
import { ensureToken, errorMessage, tokenIn } from '@steading/files'
import '../tables.ts'
import { createExports } from './exports.ts'
import { type FileCalls, fileCalls } from '../file-systems/file-calls.ts'
import { layerOfFile, layerFiles } from './layer-files.ts'
import { createImage, imageInfo, meansInUse } from './qemu-img.ts'

/** The token in the database, and the path of the directory for messages. */
const KEYS = { token: 'libvirt_volumes', path: 'libvirt_volumes_path' } as const

type Db = OpenDatabase['db']

/**
 * Refuses another directory than that of a database, before anything in it is changed.
 * @throws EngineStartError with one line for operators
 */
export async function requirePlace(db: Db, directory: string): Promise<void> {
  const [here, known] = [await tokenIn(directory), await readSetting(db, KEYS.token)]
  if (here === known && known !== undefined) return
  const before = await readSetting(db, KEYS.path)
  throw new EngineStartError(
    `the disks of this database are not in ${directory}` +
      (before === undefined || before === directory ? '' : `, but in ${before}`) +
      '; mount their file system, or say where they are with --libvirt-volumes or --shared-directory',
  )
}

/** Refuses a directory that a new database cannot have. */
async function requireFree(db: Db, directory: string, token: string | undefined): Promise<void> {
  const layers = await db.selectFrom('libvirt_layer').select('id').where('made', '=', 1).execute()
  const known = new Set(layers.map(({ id }) => id))
  const there = (await readdir(directory)).flatMap((name) => layerOfFile(name) ?? [])
  const foreign = there.some((id) => !known.has(id))
  // A server that was killed has left its token without disks.
  if (foreign && (token !== undefined || known.size === 0)) {
    throw new EngineStartError(
      `the disks in ${directory} belong to another database; set --libvirt-volumes to another directory`,
    )
  }
  if (known.size > 0 && !there.some((id) => known.has(id))) {
    throw new EngineStartError(
      `the disks of this database are not in ${directory}; move them there first, or omit --libvirt-volumes`,
    )
  }
}

/**
 * Makes a directory that of a database, unless it is.
 * @throws EngineStartError with one line for operators
 */
export async function claimPlace({ db }: OpenDatabase, directory: string): Promise<void> {
  if ((await readSetting(db, KEYS.token)) === undefined) {
    await requireFree(db, directory, await tokenIn(directory))
    await claimSetting(db, KEYS.token, await ensureToken(directory))
  }
  await requirePlace(db, directory)
  await writeSetting(db, KEYS.path, directory)
}

/**
 * Refuses a file system without the locks by which QEMU keeps a disk from being written to twice.
 * @param sockets a directory for sockets
 * @param calls to the files in the directory
 * @throws EngineStartError with one line for operators
 */
export async function requireLocks(
  directory: string,
  sockets: string,
  calls: Pick<FileCalls, 'remove'> = fileCalls,
): Promise<void> {
  const probe = `${crypto.randomUUID()}.lock-probe`
  const files = layerFiles(directory, { shared: true })
  const path = files.path(probe)
  const exports = createExports(files.path, sockets, { shared: true })
  try {
    await createImage(path, { size: 512 })
    await exports.open()
    const isLocked = await exports.use(probe, true, () =>
      imageInfo(path, 'qcow2').then(
        () => false,
        (error: unknown) => {
          if (meansInUse(error)) return true
          throw error
        },
      ),
    )
    if (isLocked) return
  } catch (error) {
    throw new EngineStartError(`QEMU cannot use disks in ${directory}: ${errorMessage(error)}`)
  } finally {
    await exports.close()
    await calls.remove(path)
  }
  throw new EngineStartError(
    `the file system of ${directory} has no file locks, which QEMU needs; mount it with locks`,
  )
}
