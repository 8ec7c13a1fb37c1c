/** The file by which a restore from a backup tells the next start, in the directory of the disks. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ifMissing, writeNew } from './files.ts'

/** Name of its file. */
const RESTORED_FILE = 'restored'

/** A directory that got the disks of a storage pool. */
export interface RestoredPool {
  path: string
  /** In the directory as well. */
  token: string
}

export interface Restored {
  id: string
  /** Pool → its directory. The disks of all other pools are in the first one. */
  pools: Readonly<Record<string, RestoredPool>>
}

/** @param text the id alone, as earlier versions wrote it, or JSON */
export const parseRestored = (text: string): Restored =>
  text.startsWith('{') ? (JSON.parse(text) as Restored) : { id: text.trim(), pools: {} }

/** The restore that has filled a directory; undefined without one. */
export const restoredIn = (directory: string): Promise<Restored | undefined> =>
  readFile(join(directory, RESTORED_FILE), 'utf8').then(parseRestored, ifMissing(undefined))

/** Says in a directory that a restore has filled it, and others with the disks of pools. */
export const markRestored = (directory: string, pools: Restored['pools']): Promise<void> =>
  writeNew(
    join(directory, RESTORED_FILE),
    `${JSON.stringify({ id: crypto.randomUUID(), pools } satisfies Restored)}\n`,
  )
