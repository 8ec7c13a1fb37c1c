import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'

/** The source of a user or group of a silo; those of a SCIM client have a key. */
export const sourceOf = (
  { identity_mode }: Pick<Row<'silo'>, 'identity_mode'>,
  key: string | null,
): Wire.IdentitySource =>
  identity_mode === 'local_only' ? 'local' : key === null ? 'saml' : 'scim'

export const toWireGroup = (row: Row<'silo_group'>): Wire.Group => ({
  id: row.id,
  display_name: row.display_name,
  silo_id: row.silo_id,
  time_created: row.time_created,
  time_modified: row.time_modified,
})
