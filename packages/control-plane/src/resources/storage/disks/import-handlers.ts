import type { tables } from '@steading/api'
import { importChunkProblem, importSteps, RAW_CHUNK_MAX } from '@steading/api/rules'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { NoSpaceError } from '../../../kernel/ports/block-store.ts'
import { Base64Error } from '../../../kernel/ports/base64.ts'
import type { Work } from '../../../kernel/work.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { withRoom } from '../../workspace/deleted-resources/make-room.ts'
import { finalizeImport, startImport, stateText, stopImport } from './import.ts'
import type { DiskRow } from './wire.ts'

interface NamesDisk {
  params: { disk: string }
  query: { project?: string }
}

const lookupDisk = (ctx: LookupContext<'disk'> & NamesDisk): Promise<DiskRow> =>
  lookup(ctx, 'disk', ctx.params.disk, { project: ctx.query.project })

function decode({ services, body }: Context<'disk_bulk_write_import'>): Uint8Array {
  try {
    return services.native.decodeBase64(body.base64_encoded_data)
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
 * @param read reads the chunk; called once the state of the disk is known to allow it
 * @param max maximum size of a chunk in bytes
 */
async function writeChunk(
  { db, services }: Pick<Work, 'db' | 'services'>,
  diskId: string,
  read: () => Chunk,
  max?: number,
): Promise<void> {
  // Read again after the chunk was counted: from now on the end of the import waits for this chunk.
  const disk = await readRow(db, 'disk', diskId)
  if (disk.state !== importSteps.start.to) {
    throw fail.invalidRequest(
      `cannot import blocks with a bulk write for disk in state ${stateText(disk)}`,
    )
  }
  const { offset, data } = read()
  const { size, block_size: blockSize } = disk
  const problem = importChunkProblem({ size, blockSize }, offset, data.length, max)
  if (problem) throw fail.invalidRequest(problem)
  try {
    await withRoom(services, () => services.volumes.write(disk.id, offset, data))
  } catch (error) {
    if (error instanceof NoSpaceError) throw fail.insufficientCapacity('Not enough storage')
    throw error
  }
}

/** Handlers of the steps of an import. */
export const importHandlers: Handlers<typeof tables.diskImportOperations> = {
  async disk_bulk_write_import_start(ctx) {
    await startImport(ctx, await lookupDisk(ctx))
  },

  async disk_bulk_write_import(ctx) {
    const { id } = await lookupDisk(ctx)
    const read = () => ({ offset: ctx.body.offset, data: decode(ctx) })
    await ctx.services.imports.pass(id, () => writeChunk(ctx, id, read))
  },

  async disk_bulk_write_import_stop(ctx) {
    await stopImport(ctx, await lookupDisk(ctx))
  },

  async disk_finalize_import(ctx) {
    await finalizeImport(ctx, await lookupDisk(ctx), ctx.body.snapshot_name)
  },
}

/** Writes a chunk whose body is plain bytes. */
export async function writeContents(ctx: Context<'disk_contents_write'>): Promise<void> {
  const { id } = await lookupDisk(ctx)
  const read = () => ({ offset: ctx.query.offset, data: ctx.body })
  await ctx.services.imports.pass(id, () => writeChunk(ctx, id, read, RAW_CHUNK_MAX))
}
