import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { oneOf, idsOf } from '../../../kernel/search/filters.ts'
import { searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { restoreMember } from './join.ts'
import { type GroupRow, memberCounts, toWireGroups } from './wire.ts'
import { multicastGroupTables } from './table.ts'

export const multicast_group: StoredKind<'multicast_group'> = {
  tables: multicastGroupTables,
  live: '1 = 1',
  restoredRows: { multicast_group_member: restoreMember },
  search: searchOf('multicast_group_search', {
    searched: ['name', 'multicast_ip'],
    handles: [
      {
        form: 'ip',
        table: 'multicast_group',
        column: 'multicast_ip',
        thing: 'id',
        within: () => sql`1 = 1`,
      },
    ],
    sorts: {
      name: usualSorts.name,
      natural_name: usualSorts.natural_name,
      multicast_ip: { column: 'ip_key', kind: 'text', unique: true },
      time_created: usualSorts.time_created,
    },
    filters: {
      version: oneOf('ip_version'),
      state: oneOf('state'),
      pool: idsOf('ip_pool_id', 'ip_pool'),
    },
    async toWire(rows: GroupRow[], { db }) {
      const counts = await memberCounts(db, rows)
      const answers = await toWireGroups(db, rows)
      return answers.map((answer) => ({ ...answer, member_count: counts.get(answer.id) ?? 0 }))
    },
  }),
  addresses: {
    table: 'multicast_group',
    words: 'multicast groups',
    // A group belongs to no silo; silos with instances in it use the address.
    inSilo: (siloId) => sql`exists (
    select 1 from multicast_group_member as member
    join instance on instance.id = member.instance_id
    join project on project.id = instance.project_id
    where member.group_id = its.id and project.silo_id = ${siloId})`,
    listed: {
      columns: {
        ip: sql`its.multicast_ip`,
        kind: sql`'multicast'`,
        first_port: sql`0`,
        last_port: sql`65535`,
        instance_id: sql`null`,
        instance_name: sql`null`,
        project_name: sql`null`,
        silo_name: sql`null`,
      },
      from: sql`multicast_group as its`,
      names: ['its.name'],
    },
  },
  relations: [
    {
      owner: 'instance',
      kind: 'multicast_group_member',
      relation: 'goes',
      pairs: sql`select group_id as id, instance_id as owner_id from multicast_group_member`,
      reason: deletionSentences.membership,
      detail: sql`its.multicast_ip`,
    },
  ],
}
