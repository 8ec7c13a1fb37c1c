import type { JobThingKind } from '@steading/api/rules'
import type { Db } from '../../kernel/db/database.ts'
import { inChunks, type Thing, thingsBy } from './things.ts'

/** A thing that can be deleted along with a target, and that target, of which there is only one. */
export interface Companion {
  thing: Thing
  owner: Thing
}

type Owner = 'instance' | 'disk' | 'snapshot' | 'project'

/** The columns with the id of the owner, in a query of snapshots joined with their disks. */
const ownerColumns = {
  instance: 'disk.instance_id',
  disk: 'snapshot.disk_id',
  snapshot: 'snapshot.id',
  project: 'snapshot.project_id',
} as const

/**
 * Snapshots related to an owner, including deleted ones, because images made of those still exist.
 */
function snapshotsOf(db: Db, owner: Owner, ids: string[]) {
  const rows = db
    .selectFrom('snapshot')
    .$if(owner === 'instance', (query) =>
      query.innerJoin('disk', 'disk.id', 'snapshot.disk_id').where('disk.time_deleted', 'is', null),
    )
  return rows.where(ownerColumns[owner] as 'snapshot.id', 'in', ids)
}

/**
 * Things of a kind that may be deleted along with targets of one kind: disks and floating addresses
 * that are attached, snapshots of disks, images made of snapshots.
 */
export async function alongWith(
  db: Db,
  kind: JobThingKind,
  targets: readonly Thing[],
): Promise<Companion[]> {
  const [first] = targets
  if (!first) return []
  const owner = first.kind as Owner
  const byId = new Map(targets.map((target) => [target.id, target]))
  const owned = (things: Thing[], ownerId: (thing: Thing) => string): Companion[] =>
    things.map((thing) => ({ thing, owner: byId.get(ownerId(thing))! }))
  if (kind === 'disk' || kind === 'floating_ip') {
    const things = await thingsBy(db, kind, 'instance_id', byId.keys())
    return owned(things, ({ instance_id }) => instance_id!)
  }
  const made = await inChunks(byId.keys(), (some) => {
    const snapshots = snapshotsOf(db, owner, some)
      .select('snapshot.id as snapshot_id')
      .select(`${ownerColumns[owner]} as owner_id` as 'snapshot.id as owner_id')
    if (kind === 'snapshot') return snapshots.select('snapshot.id as id').execute()
    return db
      .selectFrom('image')
      .innerJoin(snapshots.as('its'), 'its.snapshot_id', 'image.snapshot_id')
      .select(['image.id', 'its.owner_id', 'its.snapshot_id'])
      .execute()
  })
  const owners = new Map<string, string>(made.map(({ id, owner_id }) => [id, owner_id]))
  return owned(await thingsBy(db, kind, 'id', owners.keys()), ({ id }) => owners.get(id)!)
}
