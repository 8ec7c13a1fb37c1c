import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { SoftDeleted } from '../../../kernel/db/schema.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { pick } from '../../../kernel/pick.ts'

export interface SiloGroupTable extends SoftDeleted {
  id: string
  silo_id: string
  display_name: string
  /** The `displayName` of a SCIM group in lower case; null for other groups. */
  display_name_key: string | null
  /** The SCIM client's id of the group; null if it gives none. */
  provider_key: string | null
  time_created: string
  time_modified: string
}

export interface SiloGroupMembershipTable {
  group_id: string
  user_id: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    silo_group: SiloGroupTable
    silo_group_membership: SiloGroupMembershipTable
  }
}

/** The source of a user or group of a silo; those of a SCIM client have a key. */
export const sourceOf = (
  { identity_mode }: Pick<Row<'silo'>, 'identity_mode'>,
  key: string | null,
): Wire.IdentitySource =>
  identity_mode === 'local_only' ? 'local' : key === null ? 'saml' : 'scim'

export const toWireGroup = (row: Row<'silo_group'>): Wire.Group => ({
  ...pick(row, 'id', 'display_name', 'silo_id', 'time_created', 'time_modified'),
})

export const silo_group: StoredKind<'silo_group'> = {
  tables: {
    silo_group: {
      marked: true,
      within: { silo_id: 'silo' },
      names: {
        silo_group_display: { type: kinds.silo_group.type, column: 'display_name' },
        silo_group_display_key: { type: kinds.silo_group.type, column: 'display_name' },
      },
    },
    silo_group_membership: {
      within: { group_id: 'silo_group', user_id: 'silo_user' },
    },
  },
  live: 'time_deleted is null',
}
