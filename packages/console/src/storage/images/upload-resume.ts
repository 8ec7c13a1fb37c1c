import type { Disk } from '@steading/api/client'
import { readFile } from './upload-chunks.ts'
import { DifferentContentError } from './upload-errors.ts'
import type { RememberedUpload } from './upload-memory.ts'
import type { UploadTransport } from './upload-transport.ts'

/** Number of bytes compared at each position. */
const SAMPLE = 64 * 1024

/**
 * Checks that the file is the one the upload started with, by comparing both ends of the first, the
 * middle and the last written extent.
 */
export async function compareWithWritten(
  { written, read }: UploadTransport,
  disk: string,
  file: File,
): Promise<void> {
  if (!written || !read) return
  const extents = await written(disk)
  const chosen = new Set([extents[0], extents[extents.length >> 1], extents.at(-1)])
  for (const extent of chosen) {
    if (!extent) continue
    const length = Math.min(extent.length, SAMPLE)
    for (const offset of new Set([extent.offset, extent.offset + extent.length - length])) {
      const theirs = await read(disk, { offset, length })
      const ours = await readFile(file, { offset, length })
      if (ours.length !== length || ours.some((byte, i) => byte !== theirs[i])) {
        throw new DifferentContentError(
          'This is not the file that the upload started with: its contents differ.',
        )
      }
    }
  }
}

/** Why a file cannot be the one the upload started with, by its stored name, size and date. */
export function fileMismatch(
  file: File,
  disk: Pick<Disk, 'size' | 'blockSize'>,
  remembered: RememberedUpload | undefined,
): string | undefined {
  if (file.size > disk.size) return 'The file is larger than the disk it was being written to'
  if (file.size % disk.blockSize !== 0) {
    return `File size must be a multiple of the block size (${disk.blockSize} bytes)`
  }
  if (!remembered) return undefined
  if (file.name !== remembered.fileName) return `Choose the same file: ${remembered.fileName}`
  if (file.size !== remembered.fileSize) return 'This file has a different size'
  if (file.lastModified !== remembered.lastModified) {
    return 'The file has changed since the upload started'
  }
  return undefined
}
