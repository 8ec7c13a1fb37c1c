import type { Wire } from '@steading/api'
import { FIND_MAX } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { rowsOf } from '../../../kernel/kinds.ts'

/** A condition on names, case-insensitive. */
export const nameContains = (column: string, text: string) =>
  sql<boolean>`lower(${sql.ref(column)}) like ${`%${escaped(text.toLowerCase())}%`} escape '!'`

const escaped = (text: string) => text.replace(/[!%_]/g, (character) => `!${character}`)

/** Identities per call: more than three policies hold. */
const MAX_IDS = 200

interface Wanted {
  /** The place where they can have roles: the fleet, the silo itself, or a project by its id. */
  assignable?: 'fleet' | 'silo' | { project: string }
  search?: string
  ids?: string[]
  limit?: number | null
}

/** Selected for users only. */
const isService = sql<number>`its.is_service`.as('is_service')

/** A condition for users: all but service accounts that cannot have roles in a place. */
function mayHaveRoles(place: NonNullable<Wanted['assignable']>) {
  const isPerson = sql<boolean>`its.is_service = 0`
  if (place === 'fleet') return isPerson
  const projectId = place === 'silo' ? '' : place.project
  return sql<boolean>`(${isPerson} or its.id in (
    select id from service_account where project_id is null or project_id = ${projectId}))`
}

/** Groups of a silo, then users, each by name. */
export async function findIdentities(
  db: Db,
  siloId: string,
  { search, ids, limit, assignable }: Wanted,
): Promise<Wire.Identities> {
  const most = ids ? Math.min(ids.length, MAX_IDS) : Math.min(limit ?? FIND_MAX, FIND_MAX)
  const some = (kind: 'silo_group' | 'silo_user') => {
    let rows = rowsOf(db, kind)
      .select(['its.id', 'its.display_name'])
      .where('its.silo_id', '=', siloId)
      .orderBy('its.display_name')
      .orderBy('its.id')
      .limit(most + 1)
    if (ids) rows = rows.where('its.id', 'in', ids.slice(0, MAX_IDS))
    if (search) rows = rows.where(nameContains('its.display_name', search))
    return rows
  }
  const groups = await some('silo_group')
    .select((eb) =>
      eb
        .selectFrom('silo_group_membership as member')
        .select((count) => count.fn.countAll<number>().as('members'))
        .whereRef('member.group_id', '=', 'its.id')
        .as('members'),
    )
    .execute()
  let people = some('silo_user').select(isService)
  if (assignable) people = people.where(mayHaveRoles(assignable))
  const users = groups.length > most ? [] : await people.execute()
  const items = [
    ...groups.map((row) => ({
      ...row,
      type: 'silo_group' as const,
      members: Number(row.members),
      service: false,
    })),
    ...users.map(({ is_service, ...row }) => ({
      ...row,
      type: 'silo_user' as const,
      members: null,
      service: is_service === 1,
    })),
  ]
  return { items: items.slice(0, most), more: items.length > most }
}
