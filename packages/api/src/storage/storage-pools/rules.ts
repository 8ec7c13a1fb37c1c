/** Storage pools: the places where the bytes of disks are. */

/**
 * `physical_disks`: replicas on the physical disks of the rack, which an engine keeps itself.
 * `directory`: files in a directory that the servers and all hosts see at the same path, such as the
 * mount point of NFS, CephFS or GlusterFS.
 */
export const storagePoolTypes = ['physical_disks', 'directory'] as const
export type StoragePoolType = (typeof storagePoolTypes)[number]

const mountIt = 'mount it on the servers and all hosts, and add the directory'

/** The types of libvirt's pools, for which an operator may ask, and why most of them are refused. */
export const storagePoolTypeProblems = {
  directory: undefined,
  nfs: `pools do not mount NFS themselves: ${mountIt}`,
  ceph_rbd: 'volumes are qcow2 files, and images in Ceph RBD are not: use a CephFS directory',
  lvm: 'volumes are qcow2 files, and logical volumes are not: use a directory',
  iscsi: 'LUNs need a file system that several hosts may write to, such as OCFS2: ' + mountIt,
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
  hostMissing: (reason: string) => `It cannot use the directory: ${reason}`,
  hostOther: 'It has another directory at the path: mount the same file system there',
} as const

export const storagePoolMessages = {
  pathTaken: (path: string, pool: string) => `${path} is already the directory of pool ${pool}`,
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
