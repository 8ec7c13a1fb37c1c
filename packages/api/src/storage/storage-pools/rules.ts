/** Storage pools: the places where the bytes of disks are. */

/** Pools that libvirt mounts on the hosts, by the protocol of their file system. */
export const mountedPoolTypes = ['nfs', 'glusterfs'] as const
export type MountedPoolType = (typeof mountedPoolTypes)[number]

/**
 * `physical_disks`: replicas on the physical disks of the rack, which an engine keeps itself.
 * `directory`: files in a directory that the servers and all hosts see at the same path, such as the
 * mount point of CephFS. `nfs`, `glusterfs`: the same, which libvirt mounts on the hosts.
 */
export const storagePoolTypes = ['physical_disks', 'directory', ...mountedPoolTypes] as const
export type StoragePoolType = (typeof storagePoolTypes)[number]

export const isMountedPool = (type: string): type is MountedPoolType =>
  mountedPoolTypes.some((mounted) => mounted === type)

/** The types of libvirt's pools, for which an operator may ask, and why some of them are refused. */
export const storagePoolTypeProblems = {
  directory: undefined,
  nfs: undefined,
  glusterfs: undefined,
  ceph_rbd: 'volumes are qcow2 files, and images in Ceph RBD are not: use a CephFS directory',
  lvm: 'volumes are qcow2 files, and logical volumes are not: use a directory',
  iscsi:
    'LUNs need a file system that several hosts may write to, such as OCFS2: mount it on the servers and all hosts, and add the directory',
} as const
export type RequestedPoolType = keyof typeof storagePoolTypeProblems
export const requestedPoolTypes = Object.keys(storagePoolTypeProblems) as [
  RequestedPoolType,
  ...RequestedPoolType[],
]

/**
 * `checking`: it is new, and was not looked at yet. `unreachable`: the server cannot use it at
 * present. `leaving`: it is being removed.
 */
export const storagePoolStates = ['checking', 'healthy', 'unreachable', 'leaving'] as const
export type StoragePoolState = (typeof storagePoolStates)[number]

export const STORAGE_POOL_PATH_MAX = 500
export const STORAGE_POOL_SOURCE_MAX = 500
/** Name of the pool that every fleet has from its start. */
export const FIRST_STORAGE_POOL = 'default'

/** Why a text is no directory of a pool; undefined for one that is. */
export function storagePoolPathProblem(path: string): string | undefined {
  if (path.length > STORAGE_POOL_PATH_MAX) {
    return `It has more than ${STORAGE_POOL_PATH_MAX} characters`
  }
  // Taken literally by libvirt, QEMU and programs on the hosts.
  if (!/^(?:\/[\w.@+:-]+)+$/.test(path)) {
    return 'It has to be an absolute path of letters, digits and the characters _ . @ + : -'
  }
  if (path.split('/').some((part) => part === '.' || part === '..')) {
    return 'It has to be a path without . and ..'
  }
  return undefined
}

/** Directories in which hosts mount pools. Elsewhere, a mount could hide files of a host. */
export const poolMountRoots = ['/mnt', '/srv'] as const

/** Why a text is no directory at which hosts mount a pool; undefined for one that is. */
export function poolMountProblem(path: string): string | undefined {
  const problem = storagePoolPathProblem(path)
  if (problem !== undefined) return problem
  if (poolMountRoots.some((root) => path.startsWith(`${root}/`))) return undefined
  return `Hosts mount storage pools in ${poolMountRoots.join(' and ')} only`
}

/** The name of a file system in both protocols: a host, and a path there. */
const SOURCE = /^([a-z0-9](?:[\w.-]*[a-z0-9])?|\[[0-9a-f:.]+\]):((?:\/[\w.@+-]+)+)$/i

/** The host and the path in a source that `storagePoolSourceProblem` has found right. */
export function partsOfPoolSource(source: string): { host: string; path: string } {
  const [, host, path] = SOURCE.exec(source)!
  return { host: host!, path: path! }
}

/** Why a text is no source like `nas.example:/export` for a mounted pool; undefined for one that is. */
export function storagePoolSourceProblem(source: string): string | undefined {
  if (source.length > STORAGE_POOL_SOURCE_MAX) {
    return `It has more than ${STORAGE_POOL_SOURCE_MAX} characters`
  }
  if (!SOURCE.test(source)) {
    return 'It has to be a host, a colon and a path of letters, digits and the characters _ . @ + -'
  }
  if (source.split('/').some((part) => part === '.' || part === '..')) {
    return 'It has to be a path without . and ..'
  }
  return undefined
}

/** Everything that may be wrong with the directory of a pool; sentences without a full stop. */
export const storagePoolProblems = {
  missing: (path: string) => `There is no directory ${path}`,
  silent: (path: string) => `The file system of ${path} does not answer`,
  unusable: (path: string, reason: string) => `The directory ${path} cannot be used: ${reason}`,
  notMounted: (path: string) =>
    `The directory ${path} is not that of the pool: its file system is not mounted`,
  ofOther: (path: string) => `The directory ${path} belongs to another pool or database`,
  notEmpty: (path: string) => `The directory ${path} is not empty`,
  sameFileSystem: (other: string) =>
    `It is on the file system of ${other}, whose room would count twice`,
  noLocks: (path: string) =>
    `The file system of ${path} has no file locks, which QEMU needs: mount it with locks`,
  serverNotMounted: (source: string, path: string) =>
    `The server does not see ${source}: mount it at ${path} there`,
  cannotMount: (source: string, reason: string) => `${source} cannot be mounted: ${reason}`,
  hostMissing: (reason: string) => `It cannot use the directory: ${reason}`,
  hostOther: 'It has another directory at the path: mount the same file system there',
} as const

export const storagePoolMessages = {
  pathTaken: (path: string, pool: string) => `${path} is already the directory of pool ${pool}`,
  pathInside: (path: string, pool: string, other: string) =>
    `${path} and ${other}, the directory of pool ${pool}, are one in the other`,
  sourceTaken: (source: string, pool: string) => `${source} is already the source of pool ${pool}`,
  noSource: (type: RequestedPoolType) => `A pool of type ${type} has no source`,
  builtIn: 'every fleet keeps its first storage pool',
  isDefault: 'it is the default of the fleet: make another pool the default first',
  ofSilo: (silo: string) => `it is the default of silo ${silo}: choose another one there first`,
  holdsDisks: (disks: number, snapshots: number) =>
    `it holds ${disks} ${disks === 1 ? 'disk' : 'disks'} and ${snapshots} ${snapshots === 1 ? 'snapshot' : 'snapshots'}, also deleted ones that can be restored`,
  leaving: 'it is being removed',
  notReady: (pool: string, state: StoragePoolState) =>
    `storage pool "${pool}" is ${state === 'leaving' ? 'being removed' : state}`,
  notNew: (disk: string) => `no disk "${disk}" is created with the instance`,
  twoPools: (disk: string) => `disk "${disk}" has two storage pools`,
  noRoom: (pool: string) => `No room in storage pool "${pool}"`,
} as const

/** Refusals to move a disk, and the reasons for which a move fails. */
export const diskMoveMessages = {
  same: (pool: string) => `the disk is in storage pool "${pool}" already`,
  unreached: (pool: string) =>
    `the sled of the disk's instance is not known to reach storage pool "${pool}": move the instance first`,
  notMoving: 'the disk is not being moved',
  moving: (name: string) => `disk "${name}" is being moved to another storage pool`,
  noRoom: 'The storage pool is full',
  ended: 'The instance stopped while the disk was being copied',
  unreachable: (pool: string, reason: string) => `Storage pool "${pool}" cannot be used: ${reason}`,
} as const
