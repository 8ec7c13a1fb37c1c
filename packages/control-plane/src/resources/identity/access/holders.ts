import type { Wire } from '@steading/api'
import { LIST_COUNT_MAX } from '@steading/api/rules'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Database } from '../../../kernel/db/schema.ts'
import { type Page, tokenAfter } from '../../../kernel/paging.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { nameContains } from './identities.ts'
import { type Question, ruleOf, type Source, sourcesOf } from './sources.ts'

type Users = ExpressionBuilder<Database & { user: Database['silo_user'] }, 'user'>

/** Sources grouped by the silo whose users they apply to. */
function bySilo(sources: readonly Source[]): [siloId: string | undefined, ids: string[]][] {
  const grouped = Map.groupBy(sources, ({ siloId }) => siloId)
  return [...grouped].map(([siloId, some]) => [
    siloId,
    [...new Set(some.map(({ identityId }) => identityId))],
  ])
}

/**
 * The silo whose users all have the permission, or all silos; undefined if users without a role
 * have none.
 */
type Everybody = { siloId: string | undefined } | undefined

const isOneOf = (everybodyOf: Everybody, user: Holder): boolean =>
  everybodyOf !== undefined &&
  (everybodyOf.siloId === undefined || everybodyOf.siloId === user.silo_id)

/**
 * A condition on users: one of the sources is theirs, or every user of the silo has the permission.
 */
function isHolder(eb: Users, sources: readonly Source[], everybodyOf: Everybody) {
  const conditions: Expression<SqlBool>[] = bySilo(sources).map(([siloId, ids]) => {
    const named = eb.or([
      eb('user.id', 'in', ids),
      eb(
        'user.id',
        'in',
        eb.selectFrom('silo_group_membership').select('user_id').where('group_id', 'in', ids),
      ),
    ])
    return siloId ? eb.and([eb('user.silo_id', '=', siloId), named]) : named
  })
  if (everybodyOf) {
    const { siloId } = everybodyOf
    conditions.push(siloId === undefined ? eb.lit(true) : eb('user.silo_id', '=', siloId))
  }
  return conditions.length > 0 ? eb.or(conditions) : eb.lit(false)
}

interface Holder {
  id: string
  display_name: string
  silo_id: string
}

/** For each of the given users, the sources of the permission. */
async function pathsOf(
  db: Db,
  users: readonly Holder[],
  sources: readonly Source[],
): Promise<(user: Holder) => Wire.AccessPath[]> {
  const ids = [...new Set(sources.map(({ identityId }) => identityId))]
  const memberships =
    users.length === 0 || ids.length === 0
      ? []
      : await db
          .selectFrom('silo_group_membership as member')
          .innerJoin('silo_group as group', 'group.id', 'member.group_id')
          .select(['member.user_id', 'group.id', 'group.display_name'])
          .where('member.user_id', 'in', idsIn(users))
          .where('member.group_id', 'in', ids)
          .orderBy('group.display_name')
          .execute()
  return (user) =>
    sources
      .filter(({ siloId }) => siloId === undefined || siloId === user.silo_id)
      .flatMap(({ grant, place, identityId, countsAs }): Wire.AccessPath[] => {
        const path = { grant, place, counts_as: countsAs }
        if (identityId === user.id) return [{ ...path, group: null }]
        const through = memberships.find(
          ({ user_id, id }) => user_id === user.id && id === identityId,
        )
        if (!through) return []
        return [{ ...path, group: { id: through.id, display_name: through.display_name } }]
      })
}

/** A page of the users who have the permission, by name. */
export async function holdersOf(
  db: Db,
  question: Question,
  page: Page,
  { search, fleetKnown }: { search?: string; fleetKnown: boolean },
): Promise<Wire.AccessHolderResultsPage> {
  const sources = await sourcesOf(db, question, fleetKnown)
  const rule = ruleOf(question)
  const everybody = (['any.user', 'silo.user'] as const).find((grant) => rule.includes(grant))
  const everybodyOf = everybody && {
    siloId: everybody === 'silo.user' ? question.siloId : undefined,
  }
  let users = db
    .selectFrom('silo_user as user')
    .select(['user.id', 'user.display_name', 'user.silo_id'])
    .where('user.time_deleted', 'is', null)
    .where((eb) => isHolder(eb as unknown as Users, sources, everybodyOf))
  if (search) users = users.where(nameContains('user.display_name', search))
  const counted = await db
    .selectFrom(users.limit(LIST_COUNT_MAX + 1).as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()

  const descending = page.sortBy === 'name_descending'
  const order = descending ? 'desc' : 'asc'
  const { lastSeen, lastId } = page
  if (lastSeen !== undefined) {
    users = users.where((eb) =>
      eb(
        eb.refTuple('user.display_name', 'user.id'),
        descending ? '<' : '>',
        eb.tuple(lastSeen, lastId!),
      ),
    )
  }
  const rows = await users
    .orderBy('user.display_name', order)
    .orderBy('user.id', order)
    .limit(page.limit)
    .execute()
  const paths = await pathsOf(db, rows, sources)
  const last = rows.at(-1)
  const total = Number(counted.count)
  return {
    items: rows.map((user) => ({
      user,
      paths: [
        ...paths(user),
        ...(everybody && isOneOf(everybodyOf, user)
          ? [{ grant: everybody, place: null, group: null, counts_as: everybody } as const]
          : []),
      ],
    })),
    next_page: last ? tokenAfter(page, { last_seen: last.display_name, last_id: last.id }) : null,
    total: total > LIST_COUNT_MAX ? null : total,
    undisclosed: fleetKnown ? [] : rule.filter((grant) => grant.startsWith('fleet.')),
  }
}
