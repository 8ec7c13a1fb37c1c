import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { NoSpaceError, type OpenedFile } from '@steading/control-plane/ports'
import { freeBytes, isNoSpace, writeFully } from '@steading/files'

/** Bytes between two looks at the free space, and two reports of the progress. */
const LOOK_BYTES = 8 * 1024 * 1024

interface Scratch {
  directory: string
  keepFree: number
}

function fail(error: unknown): never {
  throw isNoSpace(error) ? new NoSpaceError() : error
}

/**
 * Reads a file of unknown size to its end, into a file without a name, so that its space is free
 * however this process ends.
 */
export async function holdFile(
  { directory, keepFree }: Scratch,
  file: OpenedFile,
  limit: { bytes: number; error: Error },
  received: (bytes: number) => Promise<void>,
): Promise<OpenedFile & { size: number }> {
  const path = join(directory, `download-${crypto.randomUUID()}.unfinished`)
  const held = await open(path, 'wx+', 0o600).catch(fail)
  const requireRoom = async () => {
    if ((await freeBytes(directory)) < keepFree + LOOK_BYTES) throw new NoSpaceError()
  }
  let size = 0
  try {
    await rm(path)
    let next = 0
    for await (const piece of file.bytes) {
      if (size + piece.length > limit.bytes) throw limit.error
      if (size >= next) {
        await requireRoom()
        await received(size)
        next = size + LOOK_BYTES
      }
      await writeFully(held, piece, size)
      size += piece.length
    }
    await received(size)
  } catch (error) {
    await held.close()
    return fail(error)
  }
  return {
    ...file,
    size,
    offset: 0,
    bytes: held.createReadStream({ start: 0, autoClose: false }),
    close() {
      file.close()
      // Nothing depends on its bytes any more.
      held.close().catch(() => {})
    },
  }
}
