import type { Wire } from '@steading/api'
import {
  DISK_MIN_SIZE,
  DISTRIBUTED_DISK_MAX_SIZE,
  exactBytes,
  GiB,
  hardwareMessages,
  LOCAL_DISK_BLOCK_SIZE,
  LOCAL_DISK_MAX_SIZE,
  READ_ONLY_STAYS,
  snapshotStateText,
  storagePoolMessages,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { lookupSource } from '../images/lookup.ts'
import { largestPlace } from '../storage-pools/largest.ts'
import { hasReplicas, hasRoom } from '../../hardware/physical-disks/replicas.ts'
import {
  defaultPoolOf,
  poolOf,
  type PoolRow,
  requireReady,
  storedIdOf,
} from '../storage-pools/choose.ts'
import { roomOf, takeRoom } from '../storage-pools/room.ts'
import { chargeStorage } from '../../tenancy/silos/storage.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'

interface Source {
  block_size: Wire.BlockSize
  read_only: boolean
  snapshot_id: string | null
  image_id: string | null
  importing: boolean
  /** Where the bytes of its source are, as `disk.storage_pool_id`; undefined without such bytes. */
  pool?: string | null
}

const blank = (block_size: Wire.BlockSize): Source => ({
  block_size,
  read_only: false,
  snapshot_id: null,
  image_id: null,
  importing: false,
})

function checkSourceSize(kind: string, size: number, sourceSize: number, readOnly: boolean): void {
  if (readOnly && size !== sourceSize) {
    throw fail.invalidRequest(
      `read-only disk size ${size} must be equal to source ${kind} size ${sourceSize}`,
    )
  }
  if (size < sourceSize) {
    throw fail.invalidRequest(
      `disk size ${size} must be greater than or equal to ${kind} size ${sourceSize}`,
    )
  }
}

/** A call that creates disks. It may look up their sources. */
export type CreateDiskContext = Writing &
  Pick<Work, 'atEnd' | 'services'> &
  LookupContext<'snapshot' | 'image' | 'silo_image'>

async function fromSnapshot(
  work: CreateDiskContext,
  projects: readonly string[],
  size: number,
  source: Extract<Wire.DiskSource, { type: 'snapshot' }>,
): Promise<Source> {
  const snapshot = await lookup(work, 'snapshot', source.snapshot_id)
  if (!projects.includes(snapshot.project_id)) {
    throw fail.invalidRequest('snapshot does not belong to this project')
  }
  checkSourceSize('snapshot', size, snapshot.size, source.read_only)
  if (snapshot.state === 'faulted') {
    const state = snapshotStateText(snapshot.state)
    throw fail.invalidRequest(`cannot create a disk of a snapshot in state ${state}`)
  }
  return {
    ...blank(snapshot.block_size),
    read_only: source.read_only,
    snapshot_id: snapshot.id,
    pool: snapshot.storage_pool_id,
  }
}

async function fromImage(
  work: CreateDiskContext,
  project: Row<'project'>,
  size: number,
  source: Extract<Wire.DiskSource, { type: 'image' }>,
): Promise<Source> {
  const image = await lookupSource(work, project, source.image_id)
  checkSourceSize('image', size, image.size, source.read_only)
  // Images without a snapshot have no contents.
  const snapshot = await findRow(work.db, 'snapshot', image.snapshot_id, 'storage_pool_id')
  return {
    ...blank(image.block_size),
    read_only: source.read_only,
    image_id: image.id,
    ...(snapshot && { pool: snapshot.storage_pool_id }),
  }
}

function resolveSource(
  work: CreateDiskContext,
  project: Row<'project'>,
  { size, disk_backend }: Wire.DiskCreate,
  snapshotsOf = project.id,
) {
  if (disk_backend.type === 'local') return blank(LOCAL_DISK_BLOCK_SIZE)
  const source = disk_backend.disk_source
  switch (source.type) {
    case 'blank':
      return blank(source.block_size)
    case 'importing_blocks':
      return { ...blank(source.block_size), importing: true }
    case 'snapshot':
      return fromSnapshot(work, [project.id, snapshotsOf], size, source)
    case 'image':
      return fromImage(work, project, size, source)
  }
}

/** @throws ApiError 400 for a size that a disk of this type cannot have (control plane 7.2) */
export async function checkSize(
  db: Db,
  size: number,
  blockSize: number,
  type: Wire.DiskType,
): Promise<void> {
  if (size % blockSize !== 0) {
    throw fail.invalidValue(
      'size and block_size',
      `total size must be a multiple of block size ${blockSize}`,
    )
  }
  const refuse = (text: string) => fail.invalidValue('size', text)
  if (size < DISK_MIN_SIZE) {
    throw refuse(`total size must be at least ${exactBytes(DISK_MIN_SIZE)}`)
  }
  if (size % GiB !== 0) throw refuse(`total size must be a multiple of ${exactBytes(GiB)}`)
  if (type === 'distributed' && size > DISTRIBUTED_DISK_MAX_SIZE) {
    throw refuse(`total size must be less than ${exactBytes(DISTRIBUTED_DISK_MAX_SIZE)}`)
  }
  if (type === 'local' && size > LOCAL_DISK_MAX_SIZE) {
    throw refuse(`requested size over ${LOCAL_DISK_MAX_SIZE / 1024 ** 5} PiB`)
  }
  if (type === 'local' && size > (await largestPlace(db))) {
    throw refuse('requested size is too large to fit on any physical disk')
  }
}

/**
 * The storage pool of a new disk; undefined with an engine without pools.
 * @throws ApiError 503 if it takes no disks at present, 400 for a read-only disk elsewhere than its
 *   source
 */
async function placeDisk(
  { db, services }: CreateDiskContext,
  { silo_id }: Row<'project'>,
  source: Source,
  chosen: PoolRow | undefined,
): Promise<PoolRow | undefined> {
  if (!services.storagePools) return undefined
  const ofSource = source.pool === undefined ? undefined : await poolOf(db, source.pool)
  if (source.read_only && ofSource && chosen && chosen.id !== ofSource.id) {
    throw fail.invalidRequest(READ_ONLY_STAYS)
  }
  const pool = chosen ?? ofSource ?? (await defaultPoolOf(db, silo_id))
  requireReady(pool)
  return pool
}

/**
 * Creates a disk in state `creating`; the reconciler creates its volume.
 * @param attachTo the instance to attach it to, and its slot there
 * @param from `snapshotsOf`: another project whose snapshots may be its source as well, for clones;
 *   `pool`: its storage pool, otherwise that of its source, or the default of its silo
 */
export async function createDisk(
  work: CreateDiskContext,
  project: Row<'project'>,
  params: Wire.DiskCreate,
  attachTo?: { instanceId: string; slot: number },
  { snapshotsOf, pool: chosen }: { snapshotsOf?: string; pool?: PoolRow } = {},
): Promise<Row<'disk'>> {
  const { db, now } = work
  const type = params.disk_backend.type
  const source = await resolveSource(work, project, params, snapshotsOf)
  await checkSize(db, params.size, source.block_size, type)
  const pool = await placeDisk(work, project, source, chosen)
  const disk = await insertNamed(work, 'disk', params, {
    project_id: project.id,
    size: params.size,
    block_size: source.block_size,
    disk_type: type,
    read_only: source.read_only ? 1 : 0,
    snapshot_id: source.snapshot_id,
    image_id: source.image_id,
    state: 'creating',
    instance_id: attachTo?.instanceId ?? null,
    slot: attachTo?.slot ?? null,
    importing: source.importing ? 1 : 0,
    has_volume: 0,
    growing: 0,
    rollback_snapshot_id: null,
    storage_pool_id: pool ? storedIdOf(pool) : null,
    generation: 1,
    reconcile_at: now.toISOString(),
    ...unclaimed,
  })
  chargeStorage(work, project, params.size)
  const taken = roomOf(disk)
  work.atEnd(async () => {
    if (taken !== null) {
      if (await takeRoom(db, taken, disk.size)) return
      throw fail.insufficientCapacity(storagePoolMessages.noRoom(pool!.name))
    }
    if (!hasReplicas(disk) || (await hasRoom(db, disk.size, work.services.hardware.replicas)))
      return
    throw fail.insufficientCapacity(hardwareMessages.noStorage)
  })
  return disk
}
