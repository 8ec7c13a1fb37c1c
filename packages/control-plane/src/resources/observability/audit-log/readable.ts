import { type HistoryKind, type KindsWith, kindTable, type ListedKind } from '@steading/api/rules'
import { type Actor, may } from '../../../kernel/authz/actor.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { findLive } from '../../../kernel/kinds.ts'
import { requireReadable } from '../../../kernel/readable-resources.ts'

/** Kinds whose history requires access to the audit log of their silo. */
type OfSilo = KindsWith<'history'>

const isOfSilo = (kind: HistoryKind): kind is OfSilo => kindTable[kind].history === true

async function siloOf(db: Db, kind: OfSilo, id: string): Promise<string | undefined> {
  if (kind === 'silo') {
    return (await findLive(db, kind, id, 'id'))?.id
  }
  const row = await findLive(db, kind, id, 'silo_id')
  return row?.silo_id
}

/**
 * Checks that the caller may see the history of a resource. Reading the resource suffices, except
 * that the history of a silo, its users and its groups requires access to the audit log of the
 * silo.
 * @throws ApiError 404 for a resource that the caller may not read, or 403
 */
export async function requireHistory(
  reader: { db: Db; actor: Actor },
  kind: HistoryKind,
  id: string,
): Promise<void> {
  if (!isOfSilo(kind)) {
    await requireReadable(reader, kind satisfies ListedKind, id)
    return
  }
  const { db, actor } = reader
  const siloId = await siloOf(db, kind, id)
  if (siloId === undefined || !may(actor, 'read', kind, { siloId })) {
    throw fail.notFoundById(kindTable[kind].type, id)
  }
  authorize({ actor, requiredActions: { audit_log: 'list' } }, 'audit_log', { siloId })
}
