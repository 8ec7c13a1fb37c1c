/** Users with details for administrators, in a number of queries that does not depend on the users. */
import type { Wire } from '@steading/api'
import { type SiloRole, strongestRole } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { sourceOf } from '../groups/kind.ts'
import { factorsOfUsers } from '../second-factors/of-users.ts'
import { toWireUser } from './kind.ts'
import { stateOf } from './states.ts'

type Silo = Pick<Row<'silo'>, 'id' | 'identity_mode'>

/** The strongest role of each user on the silo, and the number of projects with a role. */
async function rolesOfUsers(db: Db, siloId: string, ids: readonly string[]) {
  const { rows } = await sql<{ user_id: string; project_id: string | null; role: SiloRole }>`
    with held as (
      select identity_id as user_id, resource_type, resource_id, role_name
      from role_assignment where identity_id in (${sql.join(ids)})
      union
      select member.user_id, resource_type, resource_id, role_name
      from silo_group_membership as member
      inner join role_assignment on identity_id = member.group_id
      where member.user_id in (${sql.join(ids)}))
    select user_id, null as project_id, role_name as role from held
    where resource_type = 'silo' and resource_id = ${siloId}
    union all
    select user_id, project.id, role_name from held
    inner join project on project.id = resource_id
    where resource_type = 'project' and project.silo_id = ${siloId}
      and project.time_deleted is null`.execute(db)
  const ofUsers = Map.groupBy(rows, ({ user_id }) => user_id)
  return (id: string) => {
    const own = ofUsers.get(id) ?? []
    const onSilo = own.filter(({ project_id }) => project_id === null).map(({ role }) => role)
    const projects = new Set(own.flatMap(({ project_id }) => project_id ?? []))
    return { silo_role: strongestRole(onSilo) ?? null, project_count: projects.size }
  }
}

/** The mail addresses of users, and the links for their passwords. */
async function mailOfUsers(db: Db, ids: readonly string[]) {
  const addresses = await db
    .selectFrom('user_mail')
    .select(['user_id', 'address', 'time_confirmed'])
    .where('user_id', 'in', ids)
    .execute()
  const links = await db
    .selectFrom('user_link')
    .select(['user_id', 'address', 'time_expires', 'time_sent', 'problem'])
    .where('user_id', 'in', ids)
    .where('purpose', '<>', 'address')
    .execute()
  const addressOf = new Map(addresses.map((row) => [row.user_id, row]))
  const linkOf = new Map(links.map((row) => [row.user_id, row]))
  return (id: string): Pick<Wire.UserDetails, 'mail_address' | 'mail_confirmed' | 'link'> => {
    const mail = addressOf.get(id)
    const { user_id: _, address = null, ...link } = linkOf.get(id) ?? {}
    return {
      mail_address: mail?.address ?? null,
      mail_confirmed: (mail?.time_confirmed ?? null) !== null,
      link: linkOf.has(id) ? ({ ...link, mail_address: address } as Wire.UserDetailsLink) : null,
    }
  }
}

/** @param users of one silo */
export async function detailsOfUsers(
  db: Db,
  silo: Silo,
  users: readonly Row<'silo_user'>[],
): Promise<Wire.UserDetails[]> {
  if (users.length === 0) return []
  const ids = idsIn(users)
  const factorsOf = await factorsOfUsers(db, ids)
  const rolesOf = await rolesOfUsers(db, silo.id, ids)
  const mailOf = await mailOfUsers(db, ids)
  return users.map((user) => {
    const mail = mailOf(user.id)
    return {
      ...toWireUser(user),
      source: sourceOf(silo, user.user_name_key),
      active: user.time_deactivated === null,
      has_password: user.password_hash !== null,
      second_factors: factorsOf(user.id),
      time_last_sign_in: user.time_last_sign_in,
      state: stateOf(user, silo, mail.link !== null),
      ...mail,
      ...rolesOf(user.id),
    }
  })
}
