import { kinds, affinityTypeOf, deletionSentences } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { sql } from 'kysely'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import { always, oneOf } from '../../../kernel/search/filters.ts'
import { described, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { deleteGroup, type GroupRow, toWireGroup } from './groups.ts'
import { memberCounts } from './members.ts'

export interface AffinityGroupTable extends Listed, SoftDeleted {
  project_id: string
  kind: 'affinity' | 'anti_affinity'
  /**
   * The policy when placement cannot satisfy the group: instances start anyway, or do not start.
   */
  policy: Wire.AffinityPolicy
  failure_domain: Wire.FailureDomain
}

export interface AffinityGroupMemberTable {
  group_id: string
  instance_id: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    affinity_group: AffinityGroupTable
    affinity_group_member: AffinityGroupMemberTable
  }
}

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    anti_affinity_group: 'affinity_group'
  }
}

const columns = { project_id: 'project_id' }

/** An instance leaves its groups when it is deleted. */
const membership = (kind: keyof typeof affinityTypeOf) =>
  ({
    owner: 'instance',
    kind: `${kind}_member`,
    relation: 'goes',
    pairs: sql`select group_id as id, instance_id as owner_id from affinity_group_member`,
    reason: deletionSentences.membership,
  }) as const

/** The search of one kind of groups. */
const search = (kind: keyof typeof affinityTypeOf) =>
  searchOf(`${kind}_search` as const, {
    searched: described,
    sorts: {
      ...usualSorts,
      policy: text('policy'),
    },
    filters: { type: always(affinityTypeOf[kind]), policy: oneOf('policy') },
    async toWire(rows: GroupRow[], { db }) {
      const counts = await memberCounts(db, idsIn(rows))
      return rows.map((row) => ({ ...toWireGroup(row), member_count: counts.get(row.id) ?? 0 }))
    },
  })

export const affinity_group: StoredKind<'affinity_group'> = {
  tables: {
    affinity_group: {
      marked: true,
      within: { project_id: 'project' },
      names: {
        affinity_group_name: {
          type: (value) =>
            kinds[value('kind') === 'affinity' ? 'affinity_group' : 'anti_affinity_group'].type,
        },
      },
    },
    affinity_group_member: {
      noun: 'affinity group membership',
      within: { group_id: 'affinity_group', instance_id: 'instance' },
    },
  },
  live: "time_deleted is null and kind = 'affinity'",
  search: search('affinity_group'),
  steps: {
    delete: stepOn('affinity_group', 'affinity_group_delete', deleteGroup),
  },
  restoration: {},
  deletion: { columns },
  relations: [membership('affinity_group')],
}

export const anti_affinity_group: StoredKind<'anti_affinity_group'> = {
  table: 'affinity_group',
  live: "time_deleted is null and kind = 'anti_affinity'",
  search: search('anti_affinity_group'),
  steps: {
    delete: stepOn('anti_affinity_group', 'anti_affinity_group_delete', deleteGroup),
  },
  restoration: {},
  deletion: { columns },
  relations: [membership('anti_affinity_group')],
}
