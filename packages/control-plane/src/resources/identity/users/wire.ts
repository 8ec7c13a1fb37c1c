import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { sourceOf } from '../groups/wire.ts'

export const toWireUser = (row: Row<'silo_user'>): Wire.User => ({
  id: row.id,
  display_name: row.display_name,
  silo_id: row.silo_id,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

export const toWireUserDetails = (
  row: Row<'silo_user'>,
  silo: Pick<Row<'silo'>, 'identity_mode'>,
  second_factors: Wire.SecondFactorKind[],
): Wire.UserDetails => ({
  ...toWireUser(row),
  source: sourceOf(silo, row.user_name_key),
  active: row.time_deactivated === null,
  has_password: row.password_hash !== null,
  second_factors,
  time_last_sign_in: row.time_last_sign_in,
})
