import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { MiB } from '@steading/api/rules'
import {
  errorCode,
  errorMessage,
  ifMissing,
  isZero,
  syncDirectory,
  writeFully,
} from '@steading/files'
import type { ServerConfig } from '../config.ts'
import { StartError } from '../errors.ts'
import {
  BadArchiveError,
  type Contents,
  readArchive,
  type Verified,
  verifyArchive,
} from './archive.ts'
import { checkEmpty, checkFilled, fill } from './databases.ts'
import { bytesInPools, DISKS, parsePoolList, POOL_LIST } from './pool-list.ts'
import { type Place, placeOfDisks, requireRoom, type Target } from './restored-places.ts'
import {
  markPools,
  placesOf,
  type PoolPlace,
  requireLocks,
  requireUsable,
} from './restored-pools.ts'

/** Writes a new file durably. Zeros become holes, as in the original volume. */
async function writeSparse(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    let size = 0
    for await (const piece of content) {
      if (!isZero(piece)) await writeFully(file, piece, size)
      size += piece.length
    }
    await file.truncate(size)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Where the parts of a backup belong. */
interface Places {
  /** Everything besides disks in other places. */
  data: Target
  /** Another directory for the disks of real machines. */
  first?: Target | undefined
  pools: readonly PoolPlace[]
}

/** @returns the place of an entry, and its path there */
function placing({ data, first, pools }: Places): (name: string) => [Target, string] {
  const inPools = new Map(pools.flatMap((place) => place.pool.files.map((name) => [name, place])))
  return (name) => {
    if (!name.startsWith(DISKS)) return [data, name]
    const disk = name.slice(DISKS.length)
    const place = inPools.get(disk) ?? first
    return place ? [place, disk] : [data, name]
  }
}

/** Extracts a verified backup into places. */
async function unpack(file: string, contents: Verified, places: Places): Promise<void> {
  const placeOf = placing(places)
  await readArchive(file, contents, async (name, content) => {
    const [{ unfinished }, path] = placeOf(name)
    if (!content) await mkdir(join(unfinished, path), { recursive: true, mode: 0o700 })
    else if (name === POOL_LIST) await finished(Readable.from(content).resume())
    else await writeSparse(join(unfinished, path), content)
  })
}

/** Directory of each place → bytes that it needs. */
function needsOf({ sizes }: Verified, places: Places): Map<string, number> {
  const placeOf = placing(places)
  const needs = new Map<string, number>()
  for (const [name, bytes] of sizes) {
    const [{ directory }] = placeOf(name)
    needs.set(directory, (needs.get(directory) ?? 0) + bytes)
  }
  return needs
}

/** A directory and its subdirectories, deepest first. */
async function* directoriesIn(path: string): AsyncGenerator<string> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* directoriesIn(join(path, entry.name))
  }
  yield path
}

/**
 * Refuses a backup whose machines run on other hosts than those of the options.
 * @throws StartError
 */
function requireSameHosts(
  { description, sizes }: Verified,
  { sharedDirectory }: ServerConfig,
): void {
  const hasDisks = [...sizes.keys()].some((name) => name.startsWith(DISKS))
  if (description.addedHosts && sharedDirectory === undefined) {
    throw new StartError(
      'the machines of the backup run on hosts that operators have added; give --shared-directory an empty directory that these hosts see',
    )
  }
  if (hasDisks && !description.addedHosts && sharedDirectory !== undefined) {
    throw new StartError(
      'the machines of the backup run on the host of its server, and not on hosts that operators have added; leave out --shared-directory',
    )
  }
}

/**
 * The operator's error if a backup cannot be read or used.
 * @param failed the operation on the file that failed
 */
function backupProblem(error: unknown, failed: string): unknown {
  if (error instanceof BadArchiveError) return new StartError(`${failed}: ${error.message}`)
  if (error instanceof StartError || errorCode(error) === undefined) return error
  return new StartError(`${failed}: ${errorMessage(error)}`)
}

/** What restores into a directory that were killed, or go on, have beside it. */
async function leftBeside(data: string): Promise<string[]> {
  const names = await readdir(dirname(data)).catch(ifMissing([] as string[]))
  const left = names.filter(
    (name) => name.startsWith(`${basename(data)}.`) && name.endsWith('.unfinished'),
  )
  return left.map((name) => join(dirname(data), name))
}

/** Note about a backup without checksums. */
const unchecked = ({ description }: Contents): string =>
  description.format === 1
    ? '; it was made by an earlier version and has no checksums, so damage may go unnoticed'
    : ''

/** Tells the storage pools of a backup, with the room that their disks need. */
function poolsText({ kept, sizes }: Verified): string {
  if (kept === undefined) return ''
  const pools = [...bytesInPools(parsePoolList(kept), sizes)].map(
    ([name, bytes]) => `${name} ${Math.ceil(bytes / MiB)} MiB`,
  )
  return `; disks in storage pools: ${pools.join(', ')}`
}

/**
 * `verify <file>`: checks a whole backup against its checksums, without restoring it.
 * @throws StartError with one line for the operator
 */
export async function runVerify(source: string): Promise<void> {
  const file = resolve(source)
  try {
    const contents = await verifyArchive(file, POOL_LIST)
    const { time } = contents.description
    const files = contents.checksums.filter(([, sha256]) => sha256 !== null).length
    console.log(
      `${file} is complete: the state of ${time}, ${files} files${poolsText(contents)}${unchecked(contents)}`,
    )
  } catch (error) {
    throw backupProblem(error, `${file} cannot be used`)
  }
}

/**
 * `restore <file>`: creates a data directory, and with PostgreSQL fills an empty database, from a
 * backup. The whole backup is checked before anything is written, and the result appears completely
 * or not at all.
 * @throws StartError with one line for the operator
 */
export async function runRestore(config: ServerConfig, source: string): Promise<void> {
  const file = resolve(source)
  const { data } = config
  const there = await readdir(data).catch(ifMissing([] as string[]))
  if (there.length > 0) {
    throw new StartError(`the data directory ${data} is not empty; restore into a new one`)
  }
  const { pools: directories } = config
  const first = await placeOfDisks(config)
  await requireUsable(directories, first?.directory ?? data)
  const unfinished = `${data}.${crypto.randomUUID()}.unfinished`
  /** Their disks are beside their places until the end, as these may be in other file systems. */
  let begun: Place[] = []
  try {
    const contents = await verifyArchive(file, POOL_LIST)
    const { database, time } = contents.description
    requireSameHosts(contents, config)
    const list = contents.kept === undefined ? undefined : parsePoolList(contents.kept)
    const pools = placesOf(directories, list)
    await checkEmpty(config, database)
    const places = { data: { directory: data, unfinished }, first, pools }
    begun = [...pools, ...(first ? [first] : [])]
    for (const place of begun) await place.discard()
    if (!config.ignoreRoom) await requireRoom(needsOf(contents, places), () => leftBeside(data))
    await requireLocks(pools)
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    for (const place of begun) await mkdir(place.unfinished, { mode: 0o700 })
    await unpack(file, contents, places)
    const disks = first?.unfinished ?? join(unfinished, DISKS)
    if (existsSync(disks)) await markPools(disks, pools)
    await checkFilled(config, unfinished)
    await fill(config, unfinished)
    for await (const directory of directoriesIn(unfinished)) await syncDirectory(directory)
    for (const place of begun) await place.finish()
    if (existsSync(data)) await rmdir(data)
    await rename(unfinished, data)
    begun = []
    await syncDirectory(dirname(data))
    const others = pools.map(({ pool, directory }) => `, storage pool ${pool.name} to ${directory}`)
    console.log(
      `Restored the state of ${time} to ${data}${others.join('')}${unchecked(contents)}; start the server on it`,
    )
  } catch (error) {
    throw backupProblem(error, `cannot restore ${file}`)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
    for (const place of begun) await place.discard()
  }
}
