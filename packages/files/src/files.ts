/** File operations for which Node has no single call. */
import { constants } from 'node:fs'
import { copyFile, type FileHandle, link, open, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from './errors.ts'

const COPY_BLOCK = 64 * 1024
const zeros = new Uint8Array(1024 * 1024)

/** Whether all bytes are zero, compared in native code. */
export function isZero(data: Uint8Array): boolean {
  for (let at = 0; at < data.length; at += zeros.length) {
    const piece = data.subarray(at, at + zeros.length)
    if (Buffer.compare(piece, zeros.subarray(0, piece.length)) !== 0) return false
  }
  return true
}

export const ifMissing =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (errorCode(error) === 'ENOENT') return otherwise
    throw error
  }

export const ifThere =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (errorCode(error) === 'EEXIST') return otherwise
    throw error
  }

/** Opens a file and prepares it for use. Closes it if the preparation fails. */
export async function openUsable<T>(
  path: string,
  flags: string,
  prepare: (file: FileHandle) => Promise<T>,
): Promise<FileHandle> {
  const file = await open(path, flags)
  try {
    await prepare(file)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Syncs the entries of a directory. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** Writes a small new file durably and atomically. */
export async function writeNew(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${crypto.randomUUID()}`
  try {
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(unfinished, path)
    await syncDirectory(dirname(path))
  } finally {
    await rm(unfinished, { force: true })
  }
}

export async function writeFully(file: FileHandle, data: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < data.length;) {
    const { bytesWritten } = await file.write(data, done, data.length - done, at + done)
    done += bytesWritten
  }
}

/** Reads the existing bytes of a range; the rest of the buffer remains unchanged. */
export async function readInto(file: FileHandle, data: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < data.length;) {
    const { bytesRead } = await file.read(data, done, data.length - done, at + done)
    if (bytesRead === 0) return
    done += bytesRead
  }
}

/** Makes a durable copy, which shares blocks with the original if the file system can. */
export async function copySparse(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE)
  } catch {
    // The file system cannot share blocks, so only the nonzero blocks are copied.
    await rm(to, { force: true })
    const source = await open(from, 'r')
    try {
      const target = await open(to, 'wx')
      try {
        const { size } = await source.stat()
        await target.truncate(size)
        for (let at = 0; at < size; at += COPY_BLOCK) {
          const data = Buffer.alloc(Math.min(COPY_BLOCK, size - at))
          await readInto(source, data, at)
          if (!isZero(data)) await writeFully(target, data, at)
        }
      } finally {
        await target.close()
      }
    } finally {
      await source.close()
    }
  }
  const copied = await open(to, 'r')
  try {
    await copied.sync()
  } finally {
    await copied.close()
  }
}

/** Makes a hard link, or a copy if the file system has no hard links. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch {
    await copySparse(from, to)
  }
}

/** Bytes available to this user on the disk of a directory. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/** Size and free bytes of the file system of a directory. */
export async function spaceOf(directory: string): Promise<{ size: number; free: number }> {
  const { blocks, bavail, bsize } = await statfs(directory)
  return { size: blocks * bsize, free: bavail * bsize }
}
