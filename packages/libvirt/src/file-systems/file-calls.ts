/**
 * Calls to the file systems of volumes and machines. The server makes those to its own disk itself; a
 * process makes those to a file system that may become silent (`guarded-calls.ts`).
 */
import {
  access,
  chmod,
  constants,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, freeBytes, ifMissing, syncDirectory, tokenIn, writeNew } from '@steading/files'

/** A file or a directory, without what a channel between processes does not carry. */
export interface FoundFile {
  isDirectory: boolean
  /** Identifies it under any name; a number of an inode may be used again. */
  id: string
  device: number
  links: number
  /** Bytes of its contents. */
  size: number
  /** Bytes that it takes on the disk. */
  taken: number
  /** When its contents were changed. Milliseconds since the epoch. */
  modified: number
}

/** All take and return plain data. */
export const fileCalls = {
  /** Undefined if there is none. */
  find: async (path: string): Promise<FoundFile | undefined> => {
    const found = await stat(path).catch(ifMissing(undefined))
    return (
      found && {
        isDirectory: found.isDirectory(),
        id: `${found.ino}.${found.birthtimeMs}`,
        device: found.dev,
        links: found.nlink,
        size: found.size,
        taken: found.blocks * 512,
        modified: found.mtimeMs,
      }
    )
  },
  /** @throws if this user may not read and write a directory */
  requireAccess: (path: string): Promise<void> =>
    access(path, constants.R_OK | constants.W_OK | constants.X_OK),
  /** Bytes available to this user on the file system of a directory. */
  free: (directory: string): Promise<number> => freeBytes(directory),
  /** The bytes of a small file; undefined if there is none. */
  readAll: (path: string): Promise<Uint8Array | undefined> =>
    readFile(path).catch(ifMissing(undefined)),
  /** Bytes of a file, fewer at its end. */
  readPart: async (path: string, offset: number, length: number): Promise<Uint8Array> => {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  },
  /** Writes a small file, over one that is there. */
  writeAll: (path: string, data: Uint8Array, mode: number): Promise<void> =>
    writeFile(path, data, { mode }),
  setMode: (path: string, mode: number): Promise<void> => chmod(path, mode),
  /** The path that a link names; undefined for a file, and where there is none. */
  linkedFrom: (path: string): Promise<string | undefined> =>
    readlink(path).catch((error: unknown) => {
      if (['ENOENT', 'EINVAL'].includes(errorCode(error) ?? '')) return undefined
      throw error
    }),
  symlink: (to: string, path: string): Promise<void> => symlink(to, path),
  names: (directory: string): Promise<string[]> => readdir(directory),
  token: (directory: string): Promise<string | undefined> => tokenIn(directory),
  writeNew: (path: string, text: string): Promise<void> => writeNew(path, text),
  /** Makes an empty file. */
  touch: (path: string): Promise<void> => writeFile(path, ''),
  /** Makes an empty file that only its owner can read. @throws EEXIST */
  create: async (path: string): Promise<void> => (await open(path, 'wx', 0o600)).close(),
  sync: async (path: string): Promise<void> => {
    const file = await open(path, 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  },
  syncDirectory: (path: string): Promise<void> => syncDirectory(path),
  makeDirectory: async (path: string, mode: number): Promise<void> => {
    await mkdir(path, { mode })
  },
  /** Makes a directory, and those above it, unless they are there. */
  makeDirectories: async (path: string): Promise<void> => {
    await mkdir(path, { recursive: true })
  },
  link: (from: string, to: string): Promise<void> => link(from, to),
  /** Links files into another directory, over those of the same names; leaves out missing ones. */
  linkAll: async (names: readonly string[], from: string, to: string): Promise<void> => {
    for (const name of names) {
      await rm(join(to, name), { force: true })
      await link(join(from, name), join(to, name)).catch(ifMissing(undefined))
    }
  },
  copy: (from: string, to: string): Promise<void> => copyFile(from, to),
  rename: (from: string, to: string): Promise<void> => rename(from, to),
  /** Removes a file, or a directory with everything in it, if it is there. */
  remove: (path: string): Promise<void> => rm(path, { recursive: true, force: true }),
}

export type FileCalls = typeof fileCalls
