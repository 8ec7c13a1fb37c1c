/** The step that reads a file and writes it to the disk of its download. */
import {
  checksumInList,
  type Checksum,
  fileNameOf,
  IMAGE_ATTEMPTS_MAX,
  IMAGE_DOWNLOAD_MS,
  IMAGE_FILE_MAX,
  IMAGE_RETRY_MS,
  imageDownloadProblems as problems,
  importSteps,
  isZero,
  quotaMessages,
  RAW_CHUNK_MAX,
} from '@steading/api/rules'
import { concatUint8Arrays } from 'uint8array-extras'
import { fail } from '../../../kernel/errors.ts'
import { NoSpaceError } from '../../../kernel/ports/block-store.ts'
import {
  type ImageSources,
  ImageSourceError,
  type OpenedFile,
} from '../../../kernel/ports/image-sources.ts'
import { findRow, readRow } from '../../../kernel/db/rows.ts'
import { withRoom } from '../../workspace/deleted-resources/make-room.ts'
import { discard } from './discard.ts'
import {
  actorOf,
  type Download,
  DownloadFailure,
  endStep,
  keep,
  requeue,
  Superseded,
  watch,
} from './steps.ts'
import { checksumColumn, wantedColumn } from './kind.ts'
import { makeTarget } from './target.ts'

/** A file of known size. */
type SizedFile = OpenedFile & { size: number }

/** Milliseconds between two notes of the progress. */
const NOTE_MS = 1_000

/**
 * The bytes of a file in pieces of a size. Only the end of the file is smaller, so a download always
 * continues at a multiple of that size.
 * @throws ImageSourceError if bytes are missing at the end
 */
async function* wholePieces({ bytes, offset, size }: SizedFile): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let length = 0
  let left = size - offset
  for await (let part of bytes) {
    while (part.length > 0 && left > 0) {
      const wanted = Math.min(RAW_CHUNK_MAX, left)
      const head = part.subarray(0, wanted - length)
      parts.push(head)
      length += head.length
      part = part.subarray(head.length)
      if (length < wanted) continue
      yield concatUint8Arrays(parts, length)
      left -= length
      parts = []
      length = 0
    }
  }
  if (left > 0) throw new ImageSourceError(problems.cutOff, true)
}

/**
 * Finds the checksum that a file must have. A list is read before the file is opened.
 * @returns the checksum for a file with further names; undefined if none was asked for
 */
async function readChecksum(
  sources: ImageSources,
  { url, checksum }: Download['row'],
  signal: AbortSignal,
): Promise<((names: readonly string[]) => Checksum) | undefined> {
  if (checksum === null) return undefined
  const given = checksumColumn.read(checksum)
  if (given.type !== 'list') return () => ({ algorithm: given.type, value: given.value })
  const list = await sources.text(given.url, signal).catch((error: unknown) => {
    if (!(error instanceof ImageSourceError)) throw error
    throw new ImageSourceError(problems.list(error.message), error.passing)
  })
  const name = fileNameOf(url)
  return (names) => {
    const found = checksumInList(list, [name, ...names])
    if (!found) throw new DownloadFailure(problems.notListed(name))
    return found
  }
}

/** Writes a piece, unless the import has ended. */
async function write(
  { services }: Download,
  diskId: string,
  offset: number,
  data: Uint8Array,
): Promise<void> {
  const { database, imports, volumes } = services
  await imports.pass(diskId, async () => {
    // Read after the piece was counted: from now on the end of the import waits for it.
    const disk = await findRow(database.db, 'disk', diskId, 'state', 'block_size')
    if (disk?.state !== importSteps.download.to) throw new Superseded()
    const missing = -data.length & (disk.block_size - 1)
    const piece = missing === 0 ? data : concatUint8Arrays([data], data.length + missing)
    await withRoom(services, () => volumes.write(diskId, offset, piece))
  })
}

/** @throws DownloadFailure if a download has been going on for too long */
function requireTime({ services, row }: Download): void {
  const age = services.clock().getTime() - Date.parse(row.time_started)
  if (age > IMAGE_DOWNLOAD_MS) throw new DownloadFailure(problems.tooLong)
}

/** Notes the progress; it is lost with a crash, after which the bytes are read again. */
async function note(download: Download, received: number): Promise<void> {
  const { services, row } = download
  const furthest = Math.max(row.furthest, received)
  const progress = received > row.furthest ? { attempts: 0, problem: null } : {}
  const values = { received, furthest, ...progress }
  await keep(services.database.db, download, values, { isDurable: false })
  Object.assign(row, values)
}

/**
 * Notes the progress of a download that may go on.
 * @throws DownloadFailure if it takes too long, or the user or the token is gone
 */
async function advance(download: Download, received: number): Promise<void> {
  await note(download, received)
  requireTime(download)
  await actorOf(download, download.services.database.db)
}

/** Reads a file and writes it to the disk, which is made first if the file begins anew. */
async function store(download: Download, file: SizedFile): Promise<void> {
  const { row } = download
  let at = file.offset
  let noted = -Infinity
  try {
    for await (const piece of wholePieces(file)) {
      if (at === 0) await makeTarget(download, piece, file)
      const end = at + piece.length
      // Zeros are in the disk already, but the image ends with the last written byte.
      if (end === file.size || !isZero(piece)) await write(download, row.disk_id!, at, piece)
      at = end
      if (performance.now() - noted < NOTE_MS) continue
      noted = performance.now()
      await advance(download, at)
    }
  } catch (error) {
    if (error instanceof ImageSourceError && at > file.offset) await note(download, at)
    throw error
  }
  await note(download, at)
}

/** The most bytes that a file of unknown size may have, and the refusal of more. */
async function limitOf({ services, row }: Download): Promise<{ bytes: number; error: Error }> {
  const { used_storage, quota_storage } = await readRow(
    services.database.db,
    'silo',
    row.silo_id,
    'used_storage',
    'quota_storage',
  )
  const limits = [
    { bytes: IMAGE_FILE_MAX, error: new DownloadFailure(problems.tooLarge) },
    { bytes: await services.volumes.room(), error: new NoSpaceError() },
    // For the disk and its snapshot.
    {
      bytes: Math.floor((quota_storage - used_storage) / 2),
      error: fail.insufficientCapacity(quotaMessages.storage),
    },
  ]
  return limits.reduce((least, each) => (each.bytes < least.bytes ? each : least))
}

/**
 * The same file with its size. If the server does not state it, the file is read to its end first.
 * @throws DownloadFailure for a file of which no disk can be made
 */
async function withSize(
  download: Download,
  sources: ImageSources,
  file: OpenedFile,
): Promise<SizedFile> {
  const { size } = file
  const sized =
    size === null
      ? await sources.hold(file, await limitOf(download), (received) => advance(download, received))
      : { ...file, size }
  if (sized.size > 0 && sized.size <= IMAGE_FILE_MAX) return sized
  sized.close()
  throw new DownloadFailure(sized.size === 0 ? problems.empty : problems.tooLarge)
}

/** Whether a download can continue with what it has stored. */
const resumptionOf = ({ disk_id, received, validator }: Download['row']) =>
  disk_id !== null && received > 0 && validator !== null ? { from: received, validator } : undefined

/**
 * Opens the file of a download. If the server starts over, what was stored is discarded, because
 * the file may have changed.
 * @returns undefined if that is still going on
 */
async function open(
  download: Download,
  sources: ImageSources,
  signal: AbortSignal,
): Promise<OpenedFile | undefined> {
  const { row, services } = download
  const resumption = resumptionOf(row)
  if (!resumption) {
    if (!(await discard(download))) return undefined
    const values = { received: 0, size: null, wanted: null }
    await keep(services.database.db, download, values)
    Object.assign(row, values)
  }
  const checksum = resumption ? undefined : await readChecksum(sources, row, signal)
  const isChecked = resumption ? row.wanted !== null : checksum !== undefined
  const file = await sources.open(row.url, isChecked, signal, resumption)
  try {
    if (checksum) {
      const values = { wanted: wantedColumn.write(checksum(file.names)) }
      await keep(services.database.db, download, values)
      Object.assign(row, values)
    }
    const continues = resumption && file.offset === resumption.from && file.size === row.size
    if (!resumption || continues) return file
  } catch (error) {
    file.close()
    throw error
  }
  file.close()
  // The list of checksums may have changed as well, so everything is read anew.
  const values = { received: 0, validator: null }
  await keep(services.database.db, download, values)
  Object.assign(row, values)
  return open(download, sources, signal)
}

/**
 * Plans the next attempt after a fault that may pass: at once if the last one has stored more than
 * any before.
 */
async function tryAgain(download: Download, problem: string, progressed: boolean): Promise<void> {
  const { services, row } = download
  const attempts = row.attempts + 1
  if (attempts >= IMAGE_ATTEMPTS_MAX) throw new DownloadFailure(problem)
  requireTime(download)
  const wait = progressed ? 0 : IMAGE_RETRY_MS * 2 ** (attempts - 1)
  await services.database.concurrently((tx) => endStep(tx, download, { attempts, problem }, wait))
}

/** Ends the step whose file is stored. */
async function finish(download: Download): Promise<void> {
  const state = download.row.wanted === null ? 'importing' : 'verifying'
  const { database } = download.services
  await database.concurrently((tx) => endStep(tx, download, { state, problem: null }))
}

/** Downloads the file, or as much of it as the connection gives. */
export async function downloadFile(download: Download): Promise<void> {
  const { services, row } = download
  const sources = services.imageSources
  // Another server may reach other sites.
  if (!sources) return requeue(download, IMAGE_RETRY_MS)
  const { furthest } = row
  const { signal, end } = watch(download)
  let file: OpenedFile | undefined
  try {
    // A crash may have come between the last byte and the end of this step.
    if (resumptionOf(row)?.from === row.size) return await finish(download)
    file = await open(download, sources, signal)
    if (!file) return await requeue(download)
    const sized = await withSize(download, sources, file)
    file = sized
    await store(download, sized)
  } catch (error) {
    if (signal.aborted) throw new Superseded()
    // The next start continues.
    if (sources.closing.aborted) return requeue(download, 0)
    if (error instanceof ImageSourceError && error.passing) {
      return tryAgain(download, error.message, row.furthest > furthest)
    }
    throw error
  } finally {
    end()
    file?.close()
  }
  await finish(download)
}
