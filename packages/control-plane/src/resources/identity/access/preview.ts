/**
 * Previews which users would lose which roles, computed by the database: groups may have many
 * thousands of members.
 */
import type { Wire } from '@steading/api'
import {
  expandRoles,
  FLEET_ID,
  type FleetRole,
  projectRoles,
  type SiloRole,
  siloToProject,
} from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { fleetPlace, type PolicyPlace } from './sources.ts'
import { mappedFleetRoles } from '../../../kernel/authz/actor.ts'
import { readRow } from '../../../kernel/db/rows.ts'

/** Most users listed per place, and most places. */
const MAX_LOSSES = 20
const MAX_PLACES = 20

type Role = FleetRole | SiloRole

/** An assignment of a role on something. */
export interface Given {
  identity_id: string
  role_name: Role
}

/** Strength of a role, as a number: the strongest role has the highest, 0 is none. */
const strengthOf = (role: Role): number => projectRoles.length - projectRoles.indexOf(role)
const roleOf = (strength: number): SiloRole | null =>
  strength === 0 ? null : projectRoles[projectRoles.length - strength]!

export interface Change {
  place: PolicyPlace
  /** The silo whose users are considered; undefined for all silos. */
  siloId: string | undefined
  before: readonly Given[]
  after: readonly Given[]
  /** Unchanged roles that also apply here. */
  kept: readonly Given[]
  /** Restricts the change to these users. */
  only?: readonly string[]
}

/** The strongest role of each identity with any, before and after a change. */
function strengths({ before, after, kept }: Change) {
  const strongest = (given: readonly Given[]) => {
    const by = new Map<string, number>()
    for (const { identity_id, role_name } of given) {
      by.set(identity_id, Math.max(by.get(identity_id) ?? 0, strengthOf(role_name)))
    }
    return by
  }
  const was = strongest([...before, ...kept])
  const willBe = strongest([...after, ...kept])
  return [...new Set([...was.keys(), ...willBe.keys()])].map((id) => ({
    id,
    was: was.get(id) ?? 0,
    willBe: willBe.get(id) ?? 0,
  }))
}

const ADMIN = strengthOf('admin')

/** Whether a change removes the last admin. */
async function losesLastAdmin(
  db: Db,
  { place, siloId, only }: Change,
  all: ReturnType<typeof strengths>,
): Promise<boolean> {
  const admins = (when: 'was' | 'willBe') =>
    all.filter((each) => each[when] === ADMIN).map(({ id }) => id)
  const hasOne = async (ids: string[], among: RawBuilder<unknown>) => {
    if (ids.length === 0) return false
    // Roles on the fleet apply in all silos.
    const inSilo = siloId && place.level !== 'fleet' ? sql`and u.silo_id = ${siloId}` : sql``
    const { rows } = await sql`
      select 1 from silo_user u where u.time_deleted is null and u.time_deactivated is null ${inSilo} ${among}
        and (u.id in (${sql.join(ids)}) or u.id in (
          select user_id from silo_group_membership where group_id in (${sql.join(ids)})
        )) limit 1`.execute(db)
    return rows.length > 0
  }
  const [were, willBe] = [admins('was'), admins('willBe')]
  if (!(await hasOne(were, sql``))) return false
  if (!only) return !(await hasOne(willBe, sql``))
  const those = sql`(${sql.join([...only])})`
  const stays = await hasOne(were, sql`and u.id not in ${those}`)
  return !stays && !(await hasOne(willBe, sql`and u.id in ${those}`))
}

/** The users with a weaker role, or none, after a change. */
export async function lossesOf(
  db: Db,
  change: Change,
): Promise<Wire.AccessLossInPlace | undefined> {
  const { place, siloId, only } = change
  const all = strengths(change)
  const weaker = all.filter(({ was, willBe }) => willBe < was).map(({ id }) => id)
  if (weaker.length === 0 || only?.length === 0) return undefined
  const values = sql.join(
    all.map(
      ({ id, was, willBe }) =>
        sql`(cast(${id} as text), cast(${was} as integer), cast(${willBe} as integer))`,
    ),
  )
  const weak = sql.join(weaker)
  const among = only ? sql`and u.id in (${sql.join([...only])})` : sql``
  const inSilo = siloId ? sql`and u.silo_id = ${siloId}` : sql``
  const losers = sql`
    with given(identity, was, will_be) as (values ${values}),
    concerned as (
      select u.id, u.display_name, u.silo_id from silo_user u
      where u.time_deleted is null ${inSilo} ${among} and (u.id in (${weak})
        or u.id in (select user_id from silo_group_membership where group_id in (${weak})))
    ),
    held as (
      select c.id, g.was, g.will_be from concerned c join given g on g.identity = c.id
      union all
      select c.id, g.was, g.will_be from concerned c
        join silo_group_membership m on m.user_id = c.id join given g on g.identity = m.group_id
    ),
    losers as (
      select id, max(was) as was, max(will_be) as will_be from held
      group by id having max(will_be) < max(was)
    )`
  const { rows: counted } = await sql<{
    total: number
  }>`${losers} select count(*) as total from losers`.execute(db)
  const total = Number(counted[0]!.total)
  if (total === 0) return undefined
  const { rows } = await sql<{
    id: string
    display_name: string
    silo_id: string
    was: number
    will_be: number
  }>`${losers} select c.id, c.display_name, c.silo_id, l.was, l.will_be
     from losers l join concerned c on c.id = l.id
     order by c.display_name, c.id limit ${MAX_LOSSES}`.execute(db)
  const losses = rows.map(({ was, will_be, ...user }) => ({
    user,
    before: roleOf(Number(was))!,
    after: roleOf(Number(will_be)),
  }))
  return { place, losses, total, no_admin_left: await losesLastAdmin(db, change, all) }
}

const givenAt = (db: Db, level: PolicyPlace['level'], id: string): Promise<Given[]> =>
  db
    .selectFrom('role_assignment')
    .select(['identity_id', 'role_name'])
    .where('resource_type', '=', level)
    .where('resource_id', '=', id)
    .execute()

type Silo = { id: string; name: string; mapped_fleet_roles: string }

const siloWith = (db: Db, id: string): Promise<Silo> =>
  readRow(db, 'silo', id, 'id', 'name', 'mapped_fleet_roles')

/** The fleet roles that follow from roles on a silo. */
function mappedToFleet({ mapped_fleet_roles }: Silo, given: readonly Given[]): Given[] {
  const mapped = mappedFleetRoles.read(mapped_fleet_roles)
  return given.flatMap(({ identity_id, role_name }) => {
    const held = expandRoles({ fleet: [], silo: [role_name as SiloRole], project: [] })
    return Object.entries(mapped).flatMap(([role, roles]) =>
      held.has(`silo.${role as SiloRole}`)
        ? roles.map((fleetRole) => ({ identity_id, role_name: fleetRole }))
        : [],
    )
  })
}

const inherited = (given: readonly Given[]): Given[] =>
  given.map(({ identity_id, role_name }) => ({
    identity_id,
    role_name: siloToProject[role_name as SiloRole],
  }))

/** The fleet roles that follow from roles on all silos except one. */
async function mappedExcept(db: Db, siloId: string | undefined): Promise<Given[]> {
  const silos = await db
    .selectFrom('silo')
    .select(['id', 'name', 'mapped_fleet_roles'])
    .where('time_deleted', 'is', null)
    .where('mapped_fleet_roles', '<>', '{}')
    .where('id', '!=', siloId ?? '')
    .execute()
  const given: Given[] = []
  for (const silo of silos) {
    given.push(...mappedToFleet(silo, await givenAt(db, 'silo', silo.id)))
  }
  return given
}

export async function fleetChange(db: Db, after: readonly Given[]): Promise<Change[]> {
  const before = await givenAt(db, 'fleet', FLEET_ID)
  const kept = await mappedExcept(db, undefined)
  return [{ place: fleetPlace, siloId: undefined, before, after, kept }]
}

/** A change of a silo's policy, and its effect on the fleet if roles on the silo are mapped. */
export async function siloChange(
  db: Db,
  siloId: string,
  after: readonly Given[],
): Promise<Change[]> {
  const silo = await siloWith(db, siloId)
  const before = await givenAt(db, 'silo', siloId)
  const place: PolicyPlace = { level: 'silo', id: siloId, name: silo.name }
  const fleet = {
    place: fleetPlace,
    siloId,
    before: mappedToFleet(silo, before),
    after: mappedToFleet(silo, after),
    kept: [...(await givenAt(db, 'fleet', FLEET_ID)), ...(await mappedExcept(db, siloId))],
  }
  return [{ place, siloId, before, after, kept: [] }, fleet]
}

export async function projectChange(
  db: Db,
  project: { id: string; name: string; silo_id: string },
  after: readonly Given[],
): Promise<Change[]> {
  const { id, name, silo_id: siloId } = project
  const before = await givenAt(db, 'project', id)
  const kept = inherited(await givenAt(db, 'silo', siloId))
  return [{ place: { level: 'project', id, name }, siloId, before, after, kept }]
}

/** The places where users or groups of a silo have roles: the widest first. */
async function placesOf(db: Db, siloId: string, identityIds: readonly string[]) {
  const places = await db
    .selectFrom('role_assignment as role')
    .leftJoin('project', 'project.id', 'role.resource_id')
    .select(['role.resource_type', 'role.resource_id', 'project.name'])
    .distinct()
    .where('role.identity_id', 'in', identityIds)
    .where((eb) =>
      eb.or([
        eb('role.resource_type', '=', 'fleet'),
        eb.and([eb('role.resource_type', '=', 'silo'), eb('role.resource_id', '=', siloId)]),
        eb.and([eb('project.silo_id', '=', siloId), eb('project.time_deleted', 'is', null)]),
      ]),
    )
    .orderBy('project.name')
    .execute()
  const of = (level: PolicyPlace['level']) => places.filter((each) => each.resource_type === level)
  const sorted = [...of('fleet'), ...of('silo'), ...of('project')]
  return { places: sorted.slice(0, MAX_PLACES), more: Math.max(0, sorted.length - MAX_PLACES) }
}

type Losing = { changes: Change[]; more: number }

/**
 * The losses of a silo's users if roles of some users or groups no longer apply. Roles that the
 * fleet derives from the silo, and its projects from the silo, are lost too.
 */
async function loss(
  db: Db,
  siloId: string,
  identityIds: readonly string[],
  left: (given: readonly Given[]) => readonly Given[],
  only: readonly string[] | undefined,
): Promise<Losing> {
  const { places, more } = await placesOf(db, siloId, identityIds)
  const silo = await siloWith(db, siloId)
  const onSilo = await givenAt(db, 'silo', siloId)
  const above = {
    fleet: mappedToFleet(silo, onSilo),
    silo: [],
    project: inherited(onSilo),
  }
  const change = async (place: PolicyPlace): Promise<Change> => {
    const before = [...(await givenAt(db, place.level, place.id)), ...above[place.level]]
    return { place, siloId, before, after: left(before), kept: [], only }
  }
  const onFleet = await change(fleetPlace)
  const changes: Change[] = [{ ...onFleet, kept: await mappedExcept(db, siloId) }]
  for (const { resource_type: level, resource_id: id, name } of places) {
    if (level !== 'fleet') changes.push(await change({ level, id, name: name ?? silo.name }))
  }
  return { changes, more }
}

/**
 * The losses of users who leave a group, in every place where the group has a role.
 * @param members null for all members
 */
export const groupChanges = (
  db: Db,
  { id, silo_id }: { id: string; silo_id: string },
  members: readonly string[] | null,
): Promise<Losing> =>
  loss(
    db,
    silo_id,
    [id],
    (given) => given.filter(({ identity_id }) => identity_id !== id),
    members ?? undefined,
  )

/** The losses of a deleted user: every role, their own and those of their groups. */
export async function userChanges(
  db: Db,
  { id, silo_id }: { id: string; silo_id: string },
): Promise<Losing> {
  const groups = await db
    .selectFrom('silo_group_membership')
    .select('group_id')
    .where('user_id', '=', id)
    .execute()
  const identities = [id, ...groups.map(({ group_id }) => group_id)]
  return loss(db, silo_id, identities, () => [], [id])
}

/** The losses that some changes cause. */
export async function previewOf(
  db: Db,
  changes: readonly Change[],
  more = 0,
): Promise<Wire.AccessPreview> {
  const places: Wire.AccessLossInPlace[] = []
  for (const change of changes) {
    const losses = await lossesOf(db, change)
    if (losses) places.push(losses)
  }
  return { places, more_places: more }
}
