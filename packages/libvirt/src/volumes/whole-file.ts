import { dirname } from 'node:path'
import { NoSpaceError } from '@steading/control-plane/ports'
import { isNoSpace } from '@steading/files'
import { type FileCalls, fileCalls } from '../file-systems/file-calls.ts'
import { meansNoSpace } from './qemu-img.ts'

/** Reports a full disk as such. */
async function orNoSpace<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isNoSpace(error) || meansNoSpace(error)) throw new NoSpaceError('the disk is full')
    throw error
  }
}

/** Whether a name is that of a file that is being written, or was when its writer was killed. */
export const isUnfinished = (name: string): boolean => name.endsWith('.part')

/** A name for a file that is being written. */
export const unfinished = (name: string): string => `${name}.${crypto.randomUUID()}.part`

/**
 * Writes a file that only its owner can read, durably, under another name.
 * @param fill writes the file at a path
 * @param publish gives it its name
 * @param calls to the file system of the file
 * @throws NoSpaceError
 */
export async function writeWhole(
  path: string,
  fill: (part: string) => Promise<void>,
  publish: (part: string) => Promise<void>,
  calls: FileCalls = fileCalls,
): Promise<void> {
  const part = unfinished(path)
  try {
    await orNoSpace(calls.create(part))
    await orNoSpace(fill(part))
    await orNoSpace(calls.sync(part))
    await publish(part)
    await calls.syncDirectory(dirname(path))
  } finally {
    await calls.remove(part)
  }
}
