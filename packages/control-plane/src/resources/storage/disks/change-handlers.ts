import type { tables, Wire } from '@steading/api'
import { diskRefusals } from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { fail } from '../../../kernel/errors.ts'
import { ifNamed, lookup, type LookupContext } from '../../../kernel/lookup.ts'
import { findRow, readRow } from '../../../kernel/db/rows.ts'
import type { Work } from '../../../kernel/work.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { SNAPSHOT_WAIT_MS } from '../snapshots/create.ts'
import { toWireSnapshot } from '../snapshots/kind.ts'
import { growDisk } from './grow.ts'
import { rollBackDisk, type RollingBack } from './roll-back.ts'
import { toWireDisk } from './wire.ts'

const disks = usualHandlers('disk', each(toWireDisk))

/** A snapshot named in a body: by id, or by name in a project. */
const lookupSnapshot = (
  ctx: LookupContext<'snapshot'>,
  project: string,
  selector: string,
): Promise<Row<'snapshot'>> => lookup(ctx, 'snapshot', selector, ifNamed(selector, { project }))

/** The answer, after a wait for the rollbacks to be done. */
function answer(ctx: Work, begun: readonly RollingBack[]): () => Promise<Wire.RolledBackDisk[]> {
  const { reconciler, database } = ctx.services
  ctx.afterCommit(async () => {
    await Promise.all(begun.map(({ disk }) => reconciler.settle('disk', disk.id, SNAPSHOT_WAIT_MS)))
  })
  return () =>
    Promise.all(
      begun.map(async ({ disk, before }) => ({
        disk: toWireDisk(await readRow(database.db, 'disk', disk.id)),
        before: toWireSnapshot(await readRow(database.db, 'snapshot', before.id)),
      })),
    )
}

export const diskChangeHandlers: Handlers<typeof tables.diskChangeOperations> = {
  async disk_grow(ctx) {
    const disk = await disks.find(ctx)
    await growDisk(ctx, disk, ctx.body.size)
    return disks.settled(ctx, disk.id)
  },

  async disk_roll_back(ctx) {
    const disk = await disks.find(ctx)
    // The snapshot from before the rollback is made in it.
    await lookup(ctx, 'project', disk.project_id)
    const snapshot = await lookupSnapshot(ctx, disk.project_id, ctx.body.snapshot)
    const answered = answer(ctx, [await rollBackDisk(ctx, disk, snapshot)])
    return async () => (await answered())[0]!
  },

  async instance_roll_back(ctx) {
    const { instance: selector } = ctx.params
    const instance = await lookup(ctx, 'instance', selector, { project: ctx.query.project })
    await lookup(ctx, 'project', instance.project_id)
    if (ctx.body.snapshots.length === 0) throw fail.invalidRequest('no snapshots are given')
    const begun: RollingBack[] = []
    for (const named of ctx.body.snapshots) {
      const snapshot = await lookupSnapshot(ctx, instance.project_id, named)
      const attached = await findRow(ctx.db, 'disk', snapshot.disk_id, 'instance_id')
      if (attached?.instance_id !== instance.id) {
        throw fail.invalidRequest(diskRefusals.otherInstance(snapshot.name))
      }
      const disk = await lookup(ctx, 'disk', snapshot.disk_id)
      begun.push(await rollBackDisk(ctx, disk, snapshot))
    }
    const answered = answer(ctx, begun)
    return async () => ({ disks: await answered() })
  },
}
