/** Room on the disk of the data, made by releasing deleted resources, the oldest first. */
import { isRestorable, type RestorableKind } from '@steading/api/rules'
import { storedKinds } from '../../../kernel/kinds.ts'
import { NoSpaceError } from '../../../kernel/ports/block-store.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { createTask, type Task } from '../../../kernel/task.ts'
import { writingIn } from '../../../kernel/work.ts'
import { releaseResource } from './release.ts'

/** Resources that are released at once. */
const AT_ONCE = 10
/** Milliseconds between two looks for a full disk, longer than it takes to notice free space. */
const EVERY_MS = 3_000

type Parts = Pick<ControlPlaneServices, 'database' | 'clock' | 'reconciler'>

/** Kinds whose deleted resources have bytes. */
const withBytes = (): RestorableKind[] =>
  storedKinds().flatMap(({ kind, restoration }) =>
    restoration?.release && isRestorable(kind) ? [kind] : [],
  )

async function releaseOldest({ database, clock, reconciler }: Parts): Promise<boolean> {
  const released = await database.transaction(async (tx) => {
    const oldest = await tx
      .selectFrom('deleted_resource')
      .selectAll()
      .where('kind', 'in', withBytes())
      .orderBy('time_created')
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
    for (const deleted of oldest) await releaseResource(writingIn(tx, clock()), deleted)
    return oldest
  })
  for (const { kind, id } of released) {
    // The bytes of an image are those of its snapshot.
    if (kind === 'disk' || kind === 'snapshot') await reconciler.settle(kind, id)
  }
  reconciler.wake('disk')
  reconciler.wake('snapshot')
  return released.length > 0
}

/**
 * Releases the oldest deleted resources that have bytes; calls at the same time are one.
 * @returns whether there were any
 */
export function createMakeRoom(parts: () => Parts): () => Promise<boolean> {
  let present: Promise<boolean> | undefined
  return () => (present ??= releaseOldest(parts()).finally(() => (present = undefined)))
}

/** Does something that needs room on the disk; deleted resources go while there is none. */
export async function withRoom<T>(
  { makeRoom }: Pick<ControlPlaneServices, 'makeRoom'>,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NoSpaceError) || !(await makeRoom())) throw error
    }
  }
}

/**
 * The most bytes that volumes may have room for once all deleted resources are gone. They go as
 * bytes arrive, not as these are announced.
 */
export async function roomWithoutKept({
  database: { db },
  volumes,
}: Pick<ControlPlaneServices, 'database' | 'volumes'>): Promise<number> {
  const { size } = await db
    .selectFrom('deleted_resource')
    .select((eb) => eb.fn.sum<number | string>('size').as('size'))
    .executeTakeFirstOrThrow()
  return (await volumes.room()) + Number(size ?? 0)
}

/** Makes room while the disk is full, whatever has filled it. */
export const createRoomTask = (
  services: Pick<ControlPlaneServices, 'clock' | 'settings' | 'outages' | 'makeRoom'>,
): Task =>
  createTask(
    { clock: services.clock, log: services.settings.log },
    { name: 'releasing deleted resources while the disk is full', every: EVERY_MS },
    async () => {
      if (services.outages.lasts('full')) await services.makeRoom()
    },
  )
