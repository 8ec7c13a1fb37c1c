import { Password } from '../auth/schemas.ts'
import { IdentitySource } from '../groups/schemas.ts'
import { SecondFactorKind } from '../second-factors/schemas.ts'
import {
  boolean,
  dateTime,
  list,
  Name,
  named,
  record,
  string,
  tagged,
  uint64,
  UserId,
  uuid,
} from '../../schema.ts'

const userFields = {
  id: uuid,
  display_name: string,
  silo_id: uuid,
  time_created: dateTime,
  time_modified: dateTime,
}

export const User = record('User', userFields)

export const CurrentUser = record('CurrentUser', {
  ...userFields,
  silo_name: Name,
  fleet_viewer: boolean,
  silo_admin: boolean,
})

export const UserPassword = named(
  'UserPassword',
  tagged('mode', { password: { value: Password }, login_disallowed: {} }),
)

export const UserCreate = record('UserCreate', { external_id: UserId, password: UserPassword })

/** A user as shown to administrators. */
export const UserDetails = record('UserDetails', {
  ...userFields,
  source: IdentitySource,
  /** False for users deactivated by their identity provider, who cannot sign in. */
  active: boolean,
  /** Whether the user has a password. */
  has_password: boolean,
  /** Second factors here; none of users who sign in at an identity provider. */
  second_factors: list(SecondFactorKind),
  /** Null if unknown. */
  time_last_sign_in: dateTime.nullable(),
})

export const UserDetailsResultsPage = record('UserDetailsResultsPage', {
  items: list(UserDetails),
  next_page: string.nullable().optional(),
  /** Users on all pages; null if there are more than `LIST_COUNT_MAX`. */
  total: uint64.nullable(),
})
