import type { Generated } from 'kysely'
import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Flag, SoftDeleted } from '../../../kernel/db/schema.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { pick } from '../../../kernel/pick.ts'

export interface SiloUserTable extends SoftDeleted {
  id: string
  silo_id: string
  /** The sign-in name: of a local user, a SAML subject, or a SCIM `userName`. */
  external_id: string
  display_name: string
  /** The `userName` of a SCIM user in lower case; null for other users. */
  user_name_key: string | null
  /** The SCIM client's id of the user; null if it gives none. */
  provider_key: string | null
  /** PHC string; null if the user has no password. */
  password_hash: string | null
  /** 1 if the control plane generated the present password. */
  password_generated: Flag | null
  /** 1 if the present password broke the rules of new ones when the user last signed in. */
  password_weak: Flag | null
  time_created: string
  time_modified: string
  /** When the user was deactivated and could no longer sign in; null for active users. */
  time_deactivated: string | null
  /** Null if unknown. */
  time_last_sign_in: string | null
  /** 1 for the user of a service account, who never signs in. */
  is_service: Generated<Flag>
  /**
   * 1 for a user created by a sign-in through an identity provider. Users of different providers may
   * have the same name, which is unique at each provider (`user_identity`).
   */
  is_provided: Generated<Flag>
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    silo_user: SiloUserTable
  }
}

export const toWireUser = (row: Row<'silo_user'>): Wire.User => ({
  ...pick(row, 'id', 'display_name', 'silo_id', 'time_created', 'time_modified'),
})

export const silo_user: StoredKind<'silo_user'> = {
  tables: {
    silo_user: {
      marked: true,
      within: { silo_id: 'silo' },
      names: {
        silo_user_external: { type: kinds.silo_user.type, column: 'external_id' },
        silo_user_user_name: { type: kinds.silo_user.type, column: 'external_id' },
      },
    },
  },
  live: 'time_deleted is null',
}
