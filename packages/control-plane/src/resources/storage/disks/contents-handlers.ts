import type { tables } from '@steading/api'
import {
  CHECKSUM_PIECE_MIN,
  diskStateText,
  importSteps,
  snapshotStateText,
} from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import { markStreamed, streamOf } from '../../../kernel/download.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { type Contents, readPieces, serveContents } from './contents.ts'
import { conversionOf, toWireConversion } from './conversion.ts'
import { writeContents } from './import-handlers.ts'
import { sumOfSums } from './sum-of-sums.ts'
import type { DiskRow } from './wire.ts'

const importStates: readonly string[] = Object.values(importSteps).flatMap(({ from, to }) => [
  from,
  to,
])
const importing = ({ state }: DiskRow): boolean => importStates.includes(state)

function contentsOfDisk(disk: DiskRow): Contents {
  const { id, name, size, generation } = disk
  if (disk.has_volume === 0 || disk.state === 'faulted') {
    const state = diskStateText(disk.state, disk.instance_id)
    throw fail.invalidRequest(`cannot read a disk in state ${state}`)
  }
  // An import changes the bytes without changing the row.
  const version = importing(disk) ? undefined : `${id}-${generation}`
  return { name, size, volumeId: id, version }
}

function contentsOfSnapshot({ id, name, size, state, has_volume }: Row<'snapshot'>): Contents {
  if (state !== 'ready') {
    throw fail.invalidRequest(`cannot read a snapshot in state ${snapshotStateText(state)}`)
  }
  return { name, size, volumeId: has_volume === 1 ? id : undefined, version: id }
}

/** Checksums of so many bytes are computed before the answer begins; of more, in parts of this size. */
const CHECKSUM_PART = 32 * 1024 * 1024

/**
 * An answer that takes minutes. It begins with blanks, which JSON allows, one after each part of the
 * work: clients and proxies give up on a silent connection. An error cuts the connection.
 */
function whileWaiting(advance: () => Promise<boolean>, result: () => object): Response {
  const encoder = new TextEncoder()
  async function* answer() {
    const blank = encoder.encode(' ')
    do yield blank
    while (await advance())
    yield encoder.encode(JSON.stringify(result()))
  }
  const headers = new Headers({
    'content-type': 'application/json',
    // Hosts send it like a file: piece by piece, and cut it off when a piece fails.
    'content-disposition': 'inline',
  })
  markStreamed(headers)
  return new Response(streamOf(answer()), { headers })
}

/** Handlers of extensions: the bytes of disks, and the progress of imports. */
export const contentsHandlers: Handlers<typeof tables.diskContentsOperations> = {
  disk_contents_write: writeContents,

  async disk_contents(ctx) {
    const disk = await lookup(ctx, 'disk', ctx.params.disk, ctx.query)
    return serveContents(ctx, contentsOfDisk(disk))
  },

  async snapshot_contents(ctx) {
    const snapshot = await lookup(ctx, 'snapshot', ctx.params.snapshot, ctx.query)
    return serveContents(ctx, contentsOfSnapshot(snapshot))
  },

  async disk_import_view(ctx) {
    const disk = await lookup(ctx, 'disk', ctx.params.disk, ctx.query)
    const conversion = toWireConversion(await conversionOf(ctx.db, disk.id))
    // The reason of a failure is shown for as long as the disk is there.
    if (!importing(disk) && conversion?.problem == null) {
      const state = diskStateText(disk.state, disk.instance_id)
      throw fail.invalidRequest(`there is no import into a disk in state ${state}`)
    }
    const written = importing(disk) ? await ctx.services.volumes.written(disk.id) : []
    return { size: disk.size, block_size: disk.block_size, written, conversion }
  },

  async disk_checksum(ctx) {
    const disk = await lookup(ctx, 'disk', ctx.params.disk, ctx.query)
    const contents = contentsOfDisk(disk)
    const length = ctx.query.length ?? disk.size
    if (length > disk.size) throw fail.invalidRequest('length is greater than the size of the disk')
    const { piece } = ctx.query
    if (piece !== undefined && piece < CHECKSUM_PIECE_MIN) {
      throw fail.invalidRequest(`piece: may not be less than ${CHECKSUM_PIECE_MIN} bytes`)
    }
    const { native } = ctx.services
    const sum = piece === undefined ? native.sha256() : sumOfSums(native, piece)
    const pieces = readPieces(ctx.services, contents, 0, length)
    /** Reads at least some bytes, if there are as many. @returns whether there may be more */
    const advance = async (least: number): Promise<boolean> => {
      for (let read = 0; read < least;) {
        // The client has disconnected, or the server is stopping.
        if (ctx.http.request.signal.aborted) throw fail.unavailable()
        const { value, done } = await pieces.next()
        if (done) return false
        sum.update(value)
        read += value.length
      }
      return true
    }
    const sums = () => ({ length, sha256: sum.digest() })
    try {
      // The first bytes show whether there are any, and cost little when the call is repeated to
      // check the permission.
      if (!(await advance(length <= CHECKSUM_PART ? Infinity : 1))) return sums()
    } catch (error) {
      // If the disk was deleted meanwhile, its bytes are gone; this throws the 404.
      await lookup(ctx, 'disk', disk.id)
      throw error
    }
    return whileWaiting(() => advance(CHECKSUM_PART), sums)
  },
}
