/** Names in the directory of the volumes, and in the directory of a volume. */
import { join } from 'node:path'

/** Where a data directory has the volumes. */
export const volumesDirectory = (data: string): string => join(data, 'volumes')

/** What is being made or removed, and the locks for it: a crash leaves them behind. */
export const isUnfinished = (name: string): boolean => name.startsWith('.')

/** The log of what was written to a volume; processes that share it add a suffix of their own. */
export const WRITTEN_LOG = 'written'
export const isLog = (name: string): boolean => name.startsWith(WRITTEN_LOG)
