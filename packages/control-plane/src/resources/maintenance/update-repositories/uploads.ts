/**
 * The bytes of repositories during their upload. The row of an upload is written before its bytes,
 * and removed after them.
 */
import {
  FLEET_ID,
  repositoryFileNameProblem,
  UPDATE_REPOSITORY_MAX,
  UPDATE_CALL_KEPT_MS,
  UPDATE_UPLOAD_KEPT_MS,
  UPDATE_UPLOADS_MAX,
  updateMessages,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { ApiError, fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { NoSpaceError } from '../../../kernel/ports/block-store.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { type Work, writingIn } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { namedUpload } from './kind.ts'

export type Upload = Row<'update_upload'>

/** Bytes per write. */
const PIECE_BYTES = 4 * 1024 * 1024
const BLOCK_SIZE = 512
/** The time of the last piece is stored at most this often, in milliseconds. */
const NOTE_MS = 60_000

/** Free space for volumes at one moment, and the bytes of each upload by then. */
interface Room {
  free: number
  arrived: Map<string, number>
}

async function findRoom({ database: { db }, volumes }: ControlPlaneServices): Promise<Room> {
  const uploads = await db.selectFrom('update_upload').select('id').execute()
  const arrived = await Promise.all(
    uploads.map(async ({ id }) => {
      // The upload may end meanwhile, or not have its volume yet.
      const extents = await volumes.written(id).catch(() => [])
      return [id, extents.reduce((sum, { length }) => sum + length, 0)] as const
    }),
  )
  return { free: await volumes.room(), arrived: new Map(arrived) }
}

/**
 * Reserves space for an upload beside those of all servers: their announced bytes that have not
 * arrived are taken into account. A reservation ends with the row of its upload.
 * @throws ApiError 429 for a user with too many uploads, 507 if it does not fit
 */
async function reserve(db: Db, { free, arrived }: Room, userId: string, size: number) {
  const uploads = await db.selectFrom('update_upload').select(['id', 'user_id', 'size']).execute()
  if (uploads.filter(({ user_id }) => user_id === userId).length >= UPDATE_UPLOADS_MAX) {
    throw fail.tooManyRequests(updateMessages.tooManyUploads)
  }
  const awaited = uploads.reduce((sum, its) => sum + its.size - (arrived.get(its.id) ?? 0), 0)
  const left = Math.max(0, free - awaited)
  if (size > left) throw fail.insufficientCapacity(updateMessages.noRoom(left))
}

interface Announcement {
  file_name: string
  /** In bytes; undefined if not known beforehand. */
  size: number | undefined
}

/**
 * Creates a row for an upload, which reserves space for its bytes, and a volume for them.
 * @throws ApiError 400 for a bad name or size, 429 or 507 if there are too many or too large ones
 */
export async function beginUpload(
  { services, now, actor }: Pick<Work, 'services' | 'now' | 'actor'>,
  asked: Announcement,
): Promise<Upload> {
  const { userId } = actor!
  const room = await findRoom(services)
  const upload = await services.database.transaction((tx) =>
    insertUpload(tx, now, room, userId, asked),
  )
  await services.volumes.create(upload.id, { size: upload.size, blockSize: BLOCK_SIZE })
  return upload
}

async function insertUpload(
  db: Db,
  now: Date,
  room: Room,
  user_id: string,
  { file_name, size: announced }: Announcement,
): Promise<Upload> {
  const problem = repositoryFileNameProblem(file_name)
  if (problem) throw fail.invalidValue('file_name', problem)
  const size = announced ?? UPDATE_REPOSITORY_MAX
  if (size < 1 || size > UPDATE_REPOSITORY_MAX) {
    throw fail.invalidValue('size', `must be between 1 and ${UPDATE_REPOSITORY_MAX} bytes`)
  }
  // An upload of unknown length counts as the maximum size for later ones, and stops when the space
  // runs out.
  await reserve(db, room, user_id, announced ?? 0)
  const time = now.toISOString()
  const upload: Upload = {
    id: crypto.randomUUID(),
    fleet_id: FLEET_ID,
    user_id,
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

/** Makes an upload visible, so that its pieces can be sent one by one. */
export async function openToPieces(
  { db, emit }: Pick<Work, 'db' | 'emit'>,
  upload: Upload,
): Promise<void> {
  await changeRow(db, 'update_upload', upload.id, { resumable: 1 })
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
    // Read after the piece was counted: from here on, the request that seals the upload waits for
    // it.
    const upload = await rowsOf(db, 'update_upload')
      .selectAll('its')
      .where('its.id', '=', id)
      .executeTakeFirst()
    if (!upload) throw fail.notFoundById('update-upload', id)
    if (upload.sealed === 1) throw fail.conflict(updateMessages.finishing)
    if (offset + data.length > upload.size) throw fail.invalidRequest(updateMessages.pastEnd)
    await write(services, upload, offset, data)
    if (now.getTime() - Date.parse(upload.time_modified) < NOTE_MS) return
    await changeRow(db, 'update_upload', id, { time_modified: now.toISOString() })
  })
}

/**
 * Writes a whole body as it arrives, in bounded memory.
 * @returns the number of its bytes
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

/** Removes the row of an upload; its bytes are deleted after the commit. */
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

/**
 * Removes uploads without a new piece for long, and those in a single call whose server has died.
 */
export async function purgeUploads(services: ControlPlaneServices): Promise<void> {
  const { database, clock, volumes } = services
  const now = clock()
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const old = await database.db
    .selectFrom('update_upload')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('time_modified', '<', before(UPDATE_UPLOAD_KEPT_MS)),
        eb.and([eb('resumable', '=', 0), eb('time_created', '<', before(UPDATE_CALL_KEPT_MS))]),
      ]),
    )
    .execute()
  for (const upload of old) {
    const gone = await database.transaction((tx) => removeUpload(writingIn(tx, now), upload))
    if (gone) await volumes.delete(upload.id)
  }
}
