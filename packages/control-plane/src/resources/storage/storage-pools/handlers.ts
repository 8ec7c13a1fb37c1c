import type { tables, Wire } from '@steading/api'
import {
  FLEET_ID,
  isMountedPool,
  poolMountProblem,
  storagePoolMessages,
  storagePoolPathProblem,
  storagePoolSourceProblem,
  type StoragePoolType,
  storagePoolTypeProblems,
} from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'
import { changeRow, readRow } from '../../../kernel/db/rows.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { changeNamed, insertNamed } from '../../../kernel/named-rows.ts'
import type { Work } from '../../../kernel/work.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { createInstance, newDisksOf } from '../../compute/instances/create.ts'
import { type InstanceRow, toWireFor } from '../../compute/instances/wire.ts'
import { createDisk } from '../disks/create.ts'
import { beginDiskMove, cancelDiskMove, toWireDiskStorage } from '../disks/move.ts'
import { toWireDisk } from '../disks/wire.ts'
import { defaultPoolOf, findPool, poolsOfDisks } from './choose.ts'
import { changePool, requireStays } from './change.ts'
import { removePool } from './remove.ts'
import { toWireStoragePools } from './wire.ts'

type PoolRow = Row<'storage_pool'>

const pools = usualHandlers('storage_pool', toWireStoragePools, 'pool')
const instances = usualHandlers('instance', (rows: InstanceRow[], work) =>
  rows.map((row) => toWireFor(work, row)),
)
const disks = usualHandlers('disk', (rows) => rows.map(toWireDisk))

/**
 * The file system that hosts mount for a new pool; null if they do not.
 * @throws ApiError 400 for a place that no such pool can have, 501 for a type that is not there
 */
function sourceOf({ type, path, source = null }: Wire.StoragePoolCreate): string | null {
  const refusal = storagePoolTypeProblems[type]
  if (refusal !== undefined) throw fail.notImplemented(refusal)
  const isMounted = isMountedPool(type)
  const problem = (isMounted ? poolMountProblem : storagePoolPathProblem)(path)
  if (problem !== undefined) throw fail.invalidValue('path', problem)
  if (!isMounted) {
    if (source !== null) throw fail.invalidValue('source', storagePoolMessages.noSource(type))
    return null
  }
  const sourceProblem = storagePoolSourceProblem(source ?? '')
  if (sourceProblem !== undefined) throw fail.invalidValue('source', sourceProblem)
  return source
}

/** @throws ApiError 409 if another pool is at the place of a new one */
async function requirePlace(db: Db, path: string, source: string | null): Promise<void> {
  const others = await rowsOf(db, 'storage_pool')
    .select(['its.name', 'its.path', 'its.source'])
    .where('its.path', 'is not', null)
    .execute()
  for (const { name, path: other, source: taken } of others) {
    if (other === path) throw fail.conflict(storagePoolMessages.pathTaken(path, name))
    if (source === null) continue
    if (taken === source) throw fail.conflict(storagePoolMessages.sourceTaken(source, name))
    if (`${path}/`.startsWith(`${other}/`) || other!.startsWith(`${path}/`)) {
      throw fail.conflict(storagePoolMessages.pathInside(path, name, other!))
    }
  }
}

async function createPool(work: Work, body: Wire.StoragePoolCreate): Promise<PoolRow> {
  const { name, description, type, path } = body
  const source = sourceOf(body)
  const { db, now, afterCommit, services } = work
  await requirePlace(db, path, source)
  const pool = await insertNamed(
    work,
    'storage_pool',
    { name, description },
    {
      fleet_id: FLEET_ID,
      // Other types were refused.
      type: type as StoragePoolType,
      path,
      source,
      built_in: 0,
      is_default: 0,
      state: 'checking',
      problem: null,
      size: 0,
      free: null,
      used: 0,
      reclaimable: 0,
      time_checked: null,
      generation: 0,
      reconcile_at: now.toISOString(),
      ...unclaimed,
    },
  )
  afterCommit(async () => services.reconciler.wake('storage_pool'))
  return pool
}

async function makeDefault(work: Work, pool: PoolRow): Promise<PoolRow> {
  requireStays(pool)
  const before = await rowsOf(work.db, 'storage_pool')
    .selectAll()
    .where('its.is_default', '=', 1)
    .executeTakeFirstOrThrow()
  if (before.id === pool.id) return pool
  await changePool(work, before, { is_default: 0 })
  return changePool(work, pool, { is_default: 1 })
}

async function toWireSiloPool(
  { db }: Pick<Work, 'db'>,
  { storage_pool_id }: Pick<Row<'silo'>, 'storage_pool_id'>,
): Promise<Wire.SiloStoragePool> {
  const pool = await rowsOf(db, 'storage_pool')
    .select(['its.id', 'its.name'])
    .where('its.id', '=', storage_pool_id)
    .executeTakeFirst()
  return { pool: pool ?? null }
}

/** The answer about a pool, once it was looked at. */
function looked({ afterCommit, services }: Work, id: string): () => Promise<Wire.StoragePool> {
  const { reconciler, database } = services
  afterCommit(() => reconciler.settle('storage_pool', id))
  return async () => {
    const row = await readRow(database.db, 'storage_pool', id)
    return (await toWireStoragePools([row], database))[0]!
  }
}

/** The answer about a disk, once the reconciler has taken a first step. */
function answered(ctx: Context<'disk_move' | 'disk_move_cancel'>, diskId: string) {
  const { reconciler, database } = ctx.services
  ctx.afterCommit(() => reconciler.settle('disk', diskId))
  return () => toWireDiskStorage(database.db, diskId)
}

export const storagePoolHandlers: Handlers<typeof tables.storagePoolOperations> = {
  storage_pool_search: pools.search,
  storage_pool_view: pools.view,

  async storage_pool_create(ctx) {
    authorize(ctx, 'storage_pool', {})
    const { id } = await createPool(ctx, ctx.body)
    return looked(ctx, id)
  },

  storage_pool_update: pools.change((work: Work, pool, body: Wire.StoragePoolUpdate) => {
    requireStays(pool)
    return changeNamed(work, 'storage_pool', pool, body)
  }),

  async storage_pool_check(ctx) {
    const pool = await pools.find(ctx)
    requireStays(pool)
    await changePool(ctx, pool, {})
    return looked(ctx, pool.id)
  },

  async storage_pool_make_default(ctx) {
    const [changed] = await toWireStoragePools([await makeDefault(ctx, await pools.find(ctx))], ctx)
    return changed!
  },

  storage_pool_delete: pools.delete(removePool),

  silo_storage_pool_view: async (ctx) =>
    toWireSiloPool(ctx, await lookup(ctx, 'silo', ctx.params.silo)),

  async silo_storage_pool_update(ctx) {
    const silo = await lookup(ctx, 'silo', ctx.params.silo)
    authorize(ctx, 'fleet', {})
    const pool = ctx.body.pool === null ? null : await lookup(ctx, 'storage_pool', ctx.body.pool)
    if (pool) requireStays(pool)
    const storage_pool_id = pool?.id ?? null
    await changeRow(ctx.db, 'silo', silo.id, { storage_pool_id })
    await ctx.emit('silo', 'update', { ...silo, silo_id: silo.id })
    return toWireSiloPool(ctx, { storage_pool_id })
  },

  async storage_pool_choice_list(ctx) {
    const { silo_id } = await lookup(ctx, 'project', ctx.params.project)
    const first = await defaultPoolOf(ctx.db, silo_id)
    const found = await rowsOf(ctx.db, 'storage_pool')
      .select(['its.id', 'its.name', 'its.description'])
      .where('its.state', '<>', 'leaving')
      .orderBy('its.name_key')
      .execute()
    return { items: found.map((pool) => ({ ...pool, is_default: pool.id === first.id })) }
  },

  async storage_pool_disk_create(ctx) {
    const project = await lookup(ctx, 'project', ctx.params.project)
    const pool = await findPool(ctx.db, ctx.params.pool)
    const { id } = await createDisk(ctx, project, ctx.body, undefined, { pool })
    return disks.settled(ctx, id)
  },

  async storage_pool_instance_create(ctx) {
    const project = await lookup(ctx, 'project', ctx.params.project)
    const { disk_pools, ...body } = ctx.body
    const pools = await poolsOfDisks(ctx.db, disk_pools, newDisksOf(body))
    const { id } = await createInstance(ctx, project, body, { pools })
    return instances.settled(ctx, id)
  },

  async disk_storage_view(ctx) {
    return toWireDiskStorage(ctx.db, (await disks.find(ctx)).id)
  },

  async disk_move(ctx) {
    const disk = await disks.find(ctx)
    await beginDiskMove(ctx, disk, await findPool(ctx.db, ctx.body.pool))
    return answered(ctx, disk.id)
  },

  async disk_move_cancel(ctx) {
    const disk = await disks.find(ctx)
    await cancelDiskMove(ctx, disk)
    return answered(ctx, disk.id)
  },
}
