import type { OperationId, operations } from '@steading/api'
import { type KindName, kindTable } from '@steading/api/rules'
import { createAuditContext, type AuditContext } from './audit/audit-context.ts'
import type { Actor } from './authz/actor.ts'
import type { Cause } from './cause.ts'
import { deleteAbout } from './db/contents.ts'
import type { Db } from './db/database.ts'
import { fail } from './errors.ts'
import { type Author, type Changed, changeOf, writeChange } from './events/outbox.ts'
import type { ControlPlaneServices } from './services.ts'

/** The action that an operation of the contract needs for each kind of resource. */
export type RequiredActionsOf<Op extends OperationId> =
  (typeof operations)[Op]['permission'] extends string
    ? Readonly<Record<never, never>>
    : (typeof operations)[Op]['permission']

export type Emit = (
  kind: KindName,
  action: 'create' | 'update' | 'delete',
  thing: Changed,
) => Promise<void>

/**
 * The environment of a function that does work for a caller, over HTTP or in a job. Functions that
 * change rows take this, or the part of it that they use. Their changes commit with `db`, or not at
 * all.
 */
export interface Work<Required = unknown> {
  /**
   * The transaction of a call that writes; the plain database for reads, and for calls that make
   * their own transactions.
   */
  readonly db: Db
  readonly services: ControlPlaneServices
  /** The time of the call, the same for all its steps. */
  readonly now: Date
  /** The caller; throws 401 for a call without credentials. */
  readonly actor: Actor
  /** The action that the operation needs for each kind; other kinds cannot be looked up. */
  readonly requiredActions: Required
  /** Facts for the audit log entry. */
  readonly audit: AuditContext
  /** The origin of the changes; undefined for changes by the system. */
  readonly cause?: Cause
  /** Records a change in the outbox, in the same transaction. */
  readonly emit: Emit
  /**
   * Defers a write to the end of the transaction. It is for rows that many transactions write,
   * which wait from then on until the commit.
   */
  readonly atEnd: (write: () => Promise<void>) => void
  /** Registers work to do after the commit and before the answer. */
  readonly afterCommit: (work: () => Promise<void>) => void
}

/** The parts that functions need to write rows and emit events. */
export type Writing = Pick<Work, 'db' | 'now' | 'emit'>

/**
 * For changes in a transaction.
 * @param author undefined for changes that the system makes by itself, such as the reconciler's
 */
export const writingIn = (db: Db, now: Date, author?: Author, audit?: AuditContext): Writing => ({
  db,
  now,
  async emit(kind, action, thing) {
    const { id, name, silo_id: siloId = null, project_id: projectId = null } = thing
    audit?.note({ kind, id, name: name ?? '', siloId, projectId }, action === 'create')
    if (action === 'delete' && kindTable[kind].listed) await deleteAbout(db, kind, id)
    await writeChange(db, changeOf(kindTable[kind].resource, action, thing), now, author)
  },
})

export interface WorkParts<Required> {
  services: ControlPlaneServices
  db: Db
  now: Date
  /** Undefined for callers other than users. */
  actor: Actor | undefined
  /** The author of the changes; the actor by default. */
  author?: Author
  requiredActions: Required
  atEnd: Work['atEnd']
  afterCommit: Work['afterCommit']
  audit?: AuditContext
  cause?: Cause
}

/** The parts are listed one by one, because this runs for every call. */
export const createWork = <Required>({
  actor,
  author = actor,
  audit = createAuditContext(),
  db,
  services,
  now,
  requiredActions,
  atEnd,
  afterCommit,
  cause,
}: WorkParts<Required>): Work<Required> => ({
  db,
  services,
  now,
  requiredActions,
  atEnd,
  afterCommit,
  audit,
  cause,
  emit: writingIn(db, now, author, audit).emit,
  get actor(): Actor {
    if (!actor) throw fail.unauthorized()
    return actor
  },
})

/**
 * Does work for a user in the background, in a transaction of the caller. It does not wait for the
 * effect: the reconciler finds the written rows.
 */
export async function runWork<Required, T>(
  parts: Omit<WorkParts<Required>, 'atEnd' | 'afterCommit'>,
  run: (work: Work<Required>) => Promise<T>,
): Promise<T> {
  const lastWrites: (() => Promise<void>)[] = []
  const done = await run(
    createWork({
      ...parts,
      atEnd: (write) => void lastWrites.push(write),
      afterCommit: () => {},
    }),
  )
  for (const write of lastWrites) await write()
  return done
}
