/** The bytes of repositories on their way in. An upload has a row before it has bytes, and after. */
import {
  FLEET_ID,
  repositoryFileNameProblem,
  UPDATE_REPOSITORY_MAX,
  UPDATE_UPLOAD_KEPT_MS,
  updateMessages,
} from '@steading/api/rules'
import type { Db } from '../../kernel/db/database.ts'
import { ApiError, fail } from '../../kernel/errors.ts'
import { type Row, rowsOf } from '../../kernel/kinds.ts'
import { NoSpaceError } from '../../kernel/ports/block-store.ts'
import type { ControlPlaneServices } from '../../kernel/services.ts'
import { type Work, writingIn } from '../../kernel/work.ts'
import { namedUpload } from './view.ts'

export type Upload = Row<'update_upload'>

/** Bytes written at once. */
const PIECE_BYTES = 4 * 1024 * 1024
const BLOCK_SIZE = 512
/** The time of the last piece is written down at most this often, in milliseconds. */
const NOTE_MS = 60_000

/**
 * Makes a row for an upload, and a volume for its bytes.
 * @throws ApiError 400 for a bad name or size
 */
export async function beginUpload(
  { services, now }: Pick<Work, 'services' | 'now'>,
  asked: Pick<Upload, 'file_name' | 'size'>,
): Promise<Upload> {
  const upload = await services.database.transaction((tx) => insertUpload(tx, now, asked))
  await services.volumes.create(upload.id, { size: upload.size, blockSize: BLOCK_SIZE })
  return upload
}

async function insertUpload(
  db: Db,
  now: Date,
  { file_name, size }: Pick<Upload, 'file_name' | 'size'>,
): Promise<Upload> {
  const problem = repositoryFileNameProblem(file_name)
  if (problem) throw fail.invalidValue('file_name', problem)
  if (size < 1 || size > UPDATE_REPOSITORY_MAX) {
    throw fail.invalidValue('size', `must be between 1 and ${UPDATE_REPOSITORY_MAX} bytes`)
  }
  const time = now.toISOString()
  const upload: Upload = {
    id: crypto.randomUUID(),
    fleet_id: FLEET_ID,
    file_name,
    size,
    resumable: 0,
    sealed: 0,
    time_created: time,
    time_modified: time,
  }
  await db.insertInto('update_upload').values(upload).execute()
  return upload
}

/** Lets an upload be found, so that its pieces can come one by one. */
export async function openToPieces(
  { db, emit }: Pick<Work, 'db' | 'emit'>,
  upload: Upload,
): Promise<void> {
  await db.updateTable('update_upload').set({ resumable: 1 }).where('id', '=', upload.id).execute()
  await emit('update_upload', 'create', namedUpload(upload))
}

async function write(
  { volumes }: ControlPlaneServices,
  { id }: Upload,
  offset: number,
  data: Uint8Array,
): Promise<void> {
  try {
    await volumes.write(id, offset, data)
  } catch (error) {
    if (error instanceof NoSpaceError) throw fail.insufficientCapacity('Not enough storage')
    throw error
  }
}

/** Writes a piece of an upload, unless the upload is being verified. */
export async function writePiece(
  { db, services, now }: Pick<Work, 'db' | 'services' | 'now'>,
  id: string,
  offset: number,
  data: Uint8Array,
): Promise<void> {
  await services.imports.pass(id, async () => {
    // Read after the piece was counted: from here on, the request that seals the upload waits for it.
    const upload = await rowsOf(db, 'update_upload')
      .selectAll('its')
      .where('its.id', '=', id)
      .executeTakeFirst()
    if (!upload) throw fail.notFoundById('update-upload', id)
    if (upload.sealed === 1) throw fail.conflict(updateMessages.finishing)
    if (offset + data.length > upload.size) throw fail.invalidRequest(updateMessages.pastEnd)
    await write(services, upload, offset, data)
    if (now.getTime() - Date.parse(upload.time_modified) < NOTE_MS) return
    await db
      .updateTable('update_upload')
      .set({ time_modified: now.toISOString() })
      .where('id', '=', id)
      .execute()
  })
}

/**
 * Writes a whole body as it arrives, in bounded memory.
 * @returns how many bytes it had
 * @throws ApiError 400 if it ends early
 */
export async function writeBody(
  services: ControlPlaneServices,
  upload: Upload,
  body: ReadableStream<Uint8Array>,
): Promise<number> {
  const piece = new Uint8Array(PIECE_BYTES)
  let filled = 0
  let offset = 0
  const flush = async () => {
    if (filled > 0) await write(services, upload, offset, piece.slice(0, filled))
    offset += filled
    filled = 0
  }
  const chunks = body.getReader()
  for (;;) {
    const { done, value } = await chunks.read().catch((error: unknown) => {
      if (error instanceof ApiError) throw error
      throw fail.badRequest('request body ended early')
    })
    if (done) break
    for (let at = 0; at < value.length;) {
      const part = value.subarray(at, at + PIECE_BYTES - filled)
      piece.set(part, filled)
      filled += part.length
      at += part.length
      if (filled === PIECE_BYTES) await flush()
    }
  }
  await flush()
  return offset
}

/** Removes the row of an upload; its bytes go when that is committed. */
export async function removeUpload(
  { db, emit }: Pick<Work, 'db' | 'emit'>,
  upload: Upload,
): Promise<boolean> {
  const removed = await db
    .deleteFrom('update_upload')
    .where('id', '=', upload.id)
    .returning('resumable')
    .executeTakeFirst()
  if (removed?.resumable === 1) await emit('update_upload', 'delete', namedUpload(upload))
  return removed !== undefined
}

/** Removes uploads of which no piece has come for long. */
export async function purgeUploads(services: ControlPlaneServices): Promise<void> {
  const { database, clock, volumes } = services
  const now = clock()
  const before = new Date(now.getTime() - UPDATE_UPLOAD_KEPT_MS).toISOString()
  const old = await database.db
    .selectFrom('update_upload')
    .selectAll()
    .where('time_modified', '<', before)
    .execute()
  for (const upload of old) {
    const gone = await database.transaction((tx) => removeUpload(writingIn(tx, now), upload))
    if (gone) await volumes.delete(upload.id)
  }
}
