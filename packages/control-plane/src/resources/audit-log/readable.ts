import { type HistoryKind, kindTable, type ListedKind, listedKinds } from '@steading/api/rules'
import { type Actor, may } from '../../kernel/authz/actor.ts'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Db } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors.ts'
import { rowsOf } from '../../kernel/kinds.ts'
import { requireReadable } from '../../kernel/things.ts'

type OfSilo = Exclude<HistoryKind, ListedKind>

const isListed = (kind: HistoryKind): kind is ListedKind =>
  (listedKinds as readonly HistoryKind[]).includes(kind)

async function siloOf(db: Db, kind: OfSilo, id: string): Promise<string | undefined> {
  if (kind === 'silo') {
    return (await rowsOf(db, kind).select('its.id').where('its.id', '=', id).executeTakeFirst())?.id
  }
  const row = await rowsOf(db, kind as 'silo_user')
    .select('its.silo_id')
    .where('its.id', '=', id)
    .executeTakeFirst()
  return row?.silo_id
}

/**
 * Checks that the caller may see the history of a thing. Callers who may read the thing may, but
 * the history of a silo, its users and its groups takes the audit log of the silo.
 * @throws ApiError 404 for a thing that the caller may not read, or 403
 */
export async function requireHistory(
  reader: { db: Db; actor: Actor },
  kind: HistoryKind,
  id: string,
): Promise<void> {
  if (isListed(kind)) {
    await requireReadable(reader, kind, id)
    return
  }
  const { db, actor } = reader
  const siloId = await siloOf(db, kind, id)
  if (siloId === undefined || !may(actor, 'read', kind, { siloId })) {
    throw fail.notFoundById(kindTable[kind].type, id)
  }
  authorize({ actor, needs: { audit_log: 'list' } }, 'audit_log', { siloId })
}
