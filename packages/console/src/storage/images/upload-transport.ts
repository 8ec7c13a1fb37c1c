import type { Disk, Image, ImageConversion } from '@steading/api/client'
import { API_VERSION, CHECKSUM_PIECE, importSteps } from '@steading/api/rules'
import { call } from '../../data/api.ts'
import { ApiError } from '../../data/errors.ts'
import type { Capabilities } from '../../data/capabilities.ts'
import { imageCreateArgs, importDiskArgs } from './import-args.ts'
import type { Extent, ImageValues, ImportDisk } from './upload-state.ts'
import { writeChunk, writeRawChunk } from './write-chunk.ts'

export type BlockSize = Disk['blockSize']

/** The calls of an upload. The optional ones are extensions of our control plane. */
export type UploadTransport = {
  createDisk: (name: string, fileName: string, size: number, blockSize: BlockSize) => Promise<Disk>
  viewDisk: (id: string) => Promise<Disk>
  startImport: (id: string) => Promise<void>
  write: (id: string, offset: number, base64: string, signal: AbortSignal) => Promise<void>
  stopImport: (id: string) => Promise<void>
  finalize: (id: string, snapshotName?: string) => Promise<void>
  snapshotId: (name: string) => Promise<string>
  createImage: (values: ImageValues, snapshotId: string) => Promise<Image>
  deleteSnapshot: (id: string) => Promise<void>
  deleteDisk: (id: string) => Promise<void>
  /** Like `write`, for larger chunks without encoding. */
  writeRaw?: (id: string, offset: number, chunk: Blob, signal: AbortSignal) => Promise<void>
  /** Extents received so far. */
  written?: (id: string) => Promise<Extent[]>
  /** How far the conversion of an image is; undefined if there is none, or no longer. */
  conversion?: (id: string) => Promise<ImageConversion | undefined>
  /** Reads bytes of the disk. */
  read?: (id: string, extent: Extent) => Promise<Uint8Array>
  /** Checksum of the first bytes of the disk, as in `hashPieces`. */
  checksum?: (id: string, length: number) => Promise<string>
}

/** The calls of an upload, as far as the control plane supports them. @param project by name */
export function uploadTransport(
  project: string,
  can: Pick<Capabilities, 'importResume' | 'rawImport' | 'diskContents' | 'imageFormats'>,
): UploadTransport {
  const disk = (id: string) => ({ path: { disk: id } })
  return {
    createDisk: (name, fileName, size, blockSize) =>
      call('diskCreate', importDiskArgs(project, { name, fileName, size, blockSize })),
    viewDisk: (id) => call('diskView', disk(id)),
    startImport: (id) => call('diskBulkWriteImportStart', disk(id)),
    write: writeChunk,
    stopImport: (id) => call('diskBulkWriteImportStop', disk(id)),
    finalize: (id, snapshotName) =>
      call('diskFinalizeImport', { ...disk(id), body: snapshotName ? { snapshotName } : {} }),
    snapshotId: async (name) =>
      (await call('snapshotView', { path: { snapshot: name }, query: { project } })).id,
    createImage: (values, id) => call('imageCreate', imageCreateArgs(project, values, id)),
    deleteSnapshot: (id) => call('snapshotDelete', { path: { snapshot: id } }),
    deleteDisk: (id) => call('diskDelete', disk(id), { expected: [400] }),
    ...(can.rawImport && { writeRaw: writeRawChunk }),
    ...(can.importResume && {
      written: async (id) => (await call('diskImportView', disk(id))).written,
    }),
    ...(can.imageFormats.length > 0 && { conversion: conversionOf }),
    ...(can.diskContents && {
      read: readDisk,
      checksum: async (id, length) =>
        (await call('diskChecksum', { ...disk(id), query: { length, piece: CHECKSUM_PIECE } }))
          .sha256,
    }),
  }
}

/** The conversion at the end of an import. A 400 means that the import is over. */
async function conversionOf(disk: string): Promise<ImageConversion | undefined> {
  try {
    const { conversion } = await call('diskImportView', { path: { disk } }, { expected: [400] })
    return conversion ?? undefined
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 400) return undefined
    throw error
  }
}

/** The typed client reads JSON only. */
async function readDisk(id: string, { offset, length }: Extent): Promise<Uint8Array> {
  const response = await fetch(`/x/v1/disks/${id}/contents`, {
    headers: { range: `bytes=${offset}-${offset + length - 1}`, 'api-version': API_VERSION },
  })
  if (response.status !== 206) throw new Error(`Reading the disk failed (${response.status})`)
  return new Uint8Array(await response.arrayBuffer())
}

const SETTLE = 250

/** Waits until the disk is finalized. @param meanwhile repeated */
export async function waitUntilFinalized(
  transport: UploadTransport,
  id: string,
  meanwhile = async () => {},
): Promise<void> {
  while ((await transport.viewDisk(id)).state.state === importSteps.finalize.to) {
    await meanwhile()
    await new Promise((resolve) => setTimeout(resolve, SETTLE))
  }
}

/** Ends the import of a disk in any state, and deletes the disk. */
export async function discardImport(
  transport: UploadTransport,
  { id }: Pick<ImportDisk, 'id'>,
): Promise<void> {
  let { state } = (await transport.viewDisk(id)).state
  if (state === importSteps.stop.from) {
    await transport.stopImport(id)
    state = importSteps.stop.to
  }
  if (state === importSteps.finalize.from) await transport.finalize(id)
  await deleteFinalizing(transport, id)
}

/**
 * Deletes a disk at the end of its import: at once while its image is being converted, which ends the
 * conversion, and otherwise once the import is over.
 */
async function deleteFinalizing(transport: UploadTransport, id: string): Promise<void> {
  for (;;) {
    const { state } = (await transport.viewDisk(id)).state
    try {
      return await transport.deleteDisk(id)
    } catch (error) {
      const isEarly = error instanceof ApiError && [400, 409].includes(error.statusCode)
      if (!isEarly || state !== importSteps.finalize.to) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, SETTLE))
  }
}
