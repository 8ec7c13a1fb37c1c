/** File names in the directory of all volumes, and in the directory of one. */
import { join } from 'node:path'

/** Directory of the volumes in a data directory. */
export const volumesDirectory = (data: string): string => join(data, 'volumes')

/** Whether a name is of locks, or of an unfinished creation or removal, possibly left by a crash. */
export const isUnfinished = (name: string): boolean => name.startsWith('.')

/** Log of the written ranges of a volume; earlier versions appended a suffix of the process. */
export const WRITTEN_LOG = 'written'
export const isLog = (name: string): boolean => name.startsWith(WRITTEN_LOG)

/** Name of the directory of real machines and their disks, in the data directory and in backups. */
export const MACHINES = 'libvirt'
export const machinesDirectory = (data: string): string => join(data, MACHINES)
