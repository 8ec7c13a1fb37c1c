/** The members of a group; their instances are shown if the caller may read them. */
import type { Wire } from '@steading/api'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, may } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Page, tokenAfter } from '../../../kernel/paging.ts'
import { beginning, inRange } from '../../../kernel/search/handles.ts'
import { type GroupRow, type MemberRow, toWireMember } from './wire.ts'

type Row = MemberRow & {
  instance_name: string
  project_id: string
  project_name: string
  silo_id: string
}

/** True of members whose instances the caller may read; all are in the caller's silo. */
function isReadable(actor: Actor): RawBuilder<boolean> {
  if (may(actor, 'read', 'instance', { siloId: actor.siloId })) return sql`1 = 1`
  const projects = [...actor.projectRoles.keys()]
  return projects.length === 0 ? sql`1 = 0` : sql`project.id in (${sql.join(projects)})`
}

function isAfter(lastSeen: string): RawBuilder<boolean> {
  const [time, id] = lastSeen.split(' ')
  if (time === undefined || id === undefined) throw fail.badRequest('invalid pagination marker')
  return sql`(member.time_created, member.id) > (${time}, ${id})`
}

/**
 * A page of the members of a group in the caller's silo, in the order in which they joined. Members
 * of other silos are only counted.
 */
export async function pageOfMembers(
  { db, actor, page }: { db: Db; actor: Actor; page: Page },
  group: GroupRow,
  search: string | undefined,
): Promise<Wire.MulticastGroupMemberDetailsResultsPage> {
  const readable = isReadable(actor)
  const found = search
    ? sql`${inRange('instance.name', beginning(search.toLowerCase()))} and ${readable}`
    : sql`1 = 1`
  const { rows } = await sql<Row & { readable: number }>`
    select member.*, instance.name as instance_name, project.id as project_id,
      project.name as project_name, case when ${readable} then 1 else 0 end as readable
    from multicast_group_member as member
    join instance on instance.id = member.instance_id
    join project on project.id = instance.project_id
    where member.group_id = ${group.id} and project.silo_id = ${actor.siloId} and ${found}
      and ${page.lastSeen === undefined ? sql`1 = 1` : isAfter(page.lastSeen)}
    order by member.time_created, member.id
    limit ${page.limit}`.execute(db)
  const last = rows.at(-1)
  return {
    items: rows.map((row) => ({
      ...toWireMember({ ...row, multicast_ip: group.multicast_ip }),
      instance_name: row.readable === 1 ? row.instance_name : null,
      project_name: row.readable === 1 ? row.project_name : null,
    })),
    next_page: last ? tokenAfter(page, { last_seen: `${last.time_created} ${last.id}` }) : null,
  }
}
