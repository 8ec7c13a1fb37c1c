import { diskStateText, importChunkProblem, importSteps, RAW_CHUNK_MAX } from '@steading/api/rules'
import { Base64Error } from '../../engines/volumes/base64.ts'
import { NoSpaceError } from '../../kernel/ports/block-store.ts'
import type { Context, Handlers } from '../../kernel/context.ts'
import { lookupChild } from '../../kernel/lookup.ts'
import { fail } from '../../kernel/errors.ts'
import { createSnapshot, SNAPSHOT_WAIT_MS } from '../snapshots/create.ts'
import { changeDisk } from './change.ts'
import type { DiskRow } from './view.ts'

type ImportOperation =
  | 'disk_bulk_write_import_start'
  | 'disk_bulk_write_import'
  | 'disk_bulk_write_import_stop'
  | 'disk_finalize_import'
  | 'disk_contents_write'

const lookup = (ctx: Context<ImportOperation>): Promise<DiskRow> =>
  lookupChild(ctx, 'disk', ctx.params.disk, ctx.query)

const stateOf = ({ state, instance_id }: DiskRow): string => diskStateText(state, instance_id)

/** Starts or stops an import. */
async function take(ctx: Context<ImportOperation>, step: 'start' | 'stop'): Promise<DiskRow> {
  const { from, to } = importSteps[step]
  const disk = await lookup(ctx)
  if (disk.state !== from) {
    throw fail.invalidRequest(`cannot set disk in state ${stateOf(disk)} to "${to}"`)
  }
  const changed = await changeDisk(ctx.db, disk, { state: to }, ctx.now)
  if (!changed) throw fail.conflict('disk changed meanwhile; try again')
  return changed
}

function decode(ctx: Context<'disk_bulk_write_import'>): Uint8Array {
  try {
    return ctx.services.native.decodeBase64(ctx.body.base64_encoded_data)
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error
    throw fail.invalidRequest(`error base64 decoding data: ${error.message}`)
  }
}

interface Chunk {
  offset: number
  data: Uint8Array
}

/**
 * Writes a chunk of an import.
 * @param read gets it, once it is known that the disk takes it
 * @param max bytes of a chunk
 */
async function writeChunk(
  ctx: Context<ImportOperation>,
  diskId: string,
  read: () => Chunk,
  max?: number,
): Promise<void> {
  // Looked at again once this chunk is counted: from here on nobody ends the import behind its back.
  const disk = await ctx.db
    .selectFrom('disk')
    .selectAll()
    .where('id', '=', diskId)
    .executeTakeFirstOrThrow()
  if (disk.state !== importSteps.start.to) {
    throw fail.invalidRequest(
      `cannot import blocks with a bulk write for disk in state ${stateOf(disk)}`,
    )
  }
  const { offset, data } = read()
  const { size, block_size: blockSize } = disk
  const problem = importChunkProblem({ size, blockSize }, offset, data.length, max)
  if (problem) throw fail.invalidRequest(problem)
  try {
    await ctx.services.engine.writeVolume(disk.id, offset, data)
  } catch (error) {
    if (error instanceof NoSpaceError) throw fail.insufficientCapacity('Not enough storage')
    throw error
  }
}

/** The life of an import (control plane 7.4). */
export const importHandlers: Handlers<ImportOperation> = {
  async disk_bulk_write_import_start(ctx) {
    await take(ctx, 'start')
  },

  async disk_bulk_write_import(ctx) {
    const { id } = await lookup(ctx)
    const read = () => ({ offset: ctx.body.offset, data: decode(ctx) })
    await ctx.services.imports.pass(id, () => writeChunk(ctx, id, read))
  },

  async disk_contents_write(ctx) {
    const { id } = await lookup(ctx)
    const read = () => ({ offset: ctx.query.offset, data: ctx.body })
    await ctx.services.imports.pass(id, () => writeChunk(ctx, id, read, RAW_CHUNK_MAX))
  },

  async disk_bulk_write_import_stop(ctx) {
    const { id } = await take(ctx, 'stop')
    ctx.afterCommit(() => ctx.services.imports.drained(id))
  },

  async disk_finalize_import(ctx) {
    const disk = await lookup(ctx)
    const { from, to } = importSteps.finalize
    if (disk.state !== from) {
      throw fail.invalidRequest(`cannot finalize disk in state ${stateOf(disk)}`)
    }
    const { snapshot_name: name } = ctx.body
    if (name) {
      const description = `snapshot of disk ${disk.name}`
      await createSnapshot(ctx, ctx.actor.siloId, disk, { name, description })
    }
    const finalizing = { state: to, reconcile_at: ctx.now.toISOString() }
    const changed = await changeDisk(ctx.db, disk, finalizing, ctx.now)
    if (!changed) throw fail.conflict('disk changed meanwhile; try again')
    const { reconciler } = ctx.services
    ctx.afterCommit(() => reconciler.settle('disk', disk.id, SNAPSHOT_WAIT_MS))
  },
}
