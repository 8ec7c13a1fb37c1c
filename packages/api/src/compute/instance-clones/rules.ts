/** Clones of instances: how each disk comes along, and the proposed names. */
import { NAME_MAX } from '../../rules/names.ts'

/**
 * - `copying`: disks are being filled
 * - `done`: all disks have their contents
 * - `failed`: a disk has no contents, so the new instance is not started
 */
export const cloneStates = ['copying', 'done', 'failed'] as const
export type CloneStateName = (typeof cloneStates)[number]

/**
 * - `snapshot`: of a snapshot that is taken for the clone, or of an existing one
 * - `origin`: of the snapshot or image that it was made of itself, because it is read-only
 * - `empty`: a disk of the same size, because its contents cannot be copied
 */
export type CloneWay = 'snapshot' | 'origin' | 'empty'

/** How a disk comes along with a clone of its instance. */
export function cloneWay(disk: { local: boolean; readOnly: boolean }): CloneWay {
  if (disk.local) return 'empty'
  return disk.readOnly ? 'origin' : 'snapshot'
}

/** Shortens the beginning of a name so that it has room for an end. */
const shortened = (name: string, end: string): string =>
  `${name.slice(0, NAME_MAX - end.length).replace(/-+$/, '')}${end}`

/** A name for a clone, of which no other instance is known. */
export function cloneName(source: string, taken: (name: string) => boolean): string {
  for (let count = 1; ; count++) {
    const name = shortened(source, count === 1 ? '-copy' : `-copy-${count}`)
    if (!taken(name)) return name
  }
}

/**
 * The name of the copy of a disk: the name of the source in it becomes that of the clone.
 * @param taken whether another disk has a name
 */
export function cloneDiskName(
  disk: string,
  source: string,
  clone: string,
  taken: (name: string) => boolean = () => false,
): string {
  const isNamedAfter = disk === source || disk.startsWith(`${source}-`)
  const rest = isNamedAfter ? disk.slice(source.length) : `-${disk}`
  for (let count = 1; ; count++) {
    const name = shortened(clone, count === 1 ? rest : `${rest}-${count}`)
    if (!taken(name)) return name
  }
}

export const cloneMessages = {
  /** User data may contain secrets, and no answer of the API has it. */
  userData: (source: string) =>
    `Forbidden: the user data of "${source}" is copied only for those who may change that instance. Give the clone other user data, or none`,
  noDisk: (name: string) => `disk "${name}" is not attached to the source`,
  twice: (name: string) => `disk "${name}" is named twice`,
  otherSnapshot: (disk: string) => `the snapshot is not one of disk "${disk}"`,
  noSnapshot: (disk: string) => `disk "${disk}" has no snapshots, because it is local or read-only`,
  noOrigin: (disk: string) =>
    `read-only disk "${disk}" cannot come along: the snapshot or image that it was made of was deleted`,
  failed: (disks: readonly string[]) =>
    `Disks without contents, for lack of room or a lost source: ${disks.join(', ')}`,
} as const
