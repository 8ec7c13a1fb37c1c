/**
 * The directory of volumes belongs to one database: both have the same token. Another directory, such
 * as the mount point of a file system that is not mounted, would cost all disks, and one of another
 * database would lose that one's.
 */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenDatabase } from '@steading/control-plane/engine'
import { EngineStartError } from '@steading/control-plane/ports'
import { errorCode, errorMessage, ifMissing, writeNew } from '@steading/files'
import '../tables.ts'
import { createExports } from './exports.ts'
import { layerOfFile, layerFiles } from './layer-files.ts'
import { createImage, imageInfo, meansInUse } from './qemu-img.ts'

/** Name of the file with the token; it is in backups as well. */
export const TOKEN = 'token'
/** The token in the database, and the path of the directory for messages. */
const KEYS = { token: 'libvirt_volumes', path: 'libvirt_volumes_path' } as const

type Db = OpenDatabase['db']

const tokenIn = (directory: string): Promise<string | undefined> =>
  readFile(join(directory, TOKEN), 'utf8').then((text) => text.trim(), ifMissing(undefined))

const settingOf = async (db: Db, key: string): Promise<string | undefined> =>
  (await db.selectFrom('setting').select('value').where('key', '=', key).executeTakeFirst())?.value

async function record(db: Db, key: string, value: string): Promise<void> {
  await db
    .insertInto('setting')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/**
 * Refuses another directory than that of a database, before anything in it is changed.
 * @throws EngineStartError with one line for operators
 */
export async function requirePlace(db: Db, directory: string): Promise<void> {
  const [here, known] = [await tokenIn(directory), await settingOf(db, KEYS.token)]
  if (here === known && known !== undefined) return
  const before = await settingOf(db, KEYS.path)
  throw new EngineStartError(
    `the disks of this database are not in ${directory}` +
      (before === undefined || before === directory ? '' : `, but in ${before}`) +
      '; mount their file system, or say where they are with --libvirt-volumes',
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
  if ((await settingOf(db, KEYS.token)) === undefined) {
    const token = await tokenIn(directory)
    await requireFree(db, directory, token)
    if (token === undefined) {
      await writeNew(join(directory, TOKEN), `${crypto.randomUUID()}\n`).catch((error: unknown) => {
        // Another server that is starting has written its token first.
        if (errorCode(error) !== 'EEXIST') throw error
      })
    }
    await db
      .insertInto('setting')
      .values({ key: KEYS.token, value: (await tokenIn(directory))! })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await requirePlace(db, directory)
  await record(db, KEYS.path, directory)
}

/**
 * Refuses a file system without the locks by which QEMU keeps a disk from being written to twice.
 * @param sockets a directory for sockets
 * @throws EngineStartError with one line for operators
 */
export async function requireLocks(directory: string, sockets: string): Promise<void> {
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
    await rm(path, { force: true })
  }
  throw new EngineStartError(
    `the file system of ${directory} has no file locks, which QEMU needs; mount it with locks`,
  )
}
