import { Password } from '../auth/schemas.ts'
import { IdentitySource } from '../groups/schemas.ts'
import { SiloRole } from '../policies/schemas.ts'
import { SecondFactorKind } from '../second-factors/schemas.ts'
import { userStates } from '../user-links/rules.ts'
import {
  boolean,
  dateTime,
  list,
  Name,
  named,
  oneOf,
  record,
  string,
  tagged,
  uint32,
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
  state: named('UserState', oneOf(...userStates)),
  mail_address: string.nullable(),
  /** Whether the user has confirmed the address. */
  mail_confirmed: boolean,
  /** The link with which the user sets a password; null if there is none. */
  link: record('UserDetailsLink', {
    /** May be over. */
    time_expires: dateTime,
    /** The address to which it is sent; null if it was handed over by an administrator. */
    mail_address: string.nullable(),
    /** Null while it is being sent. */
    time_sent: dateTime.nullable(),
    /** Why the last attempt to send it failed. */
    problem: string.nullable(),
  }).nullable(),
  /** The strongest role on the silo, of the user or a group of theirs. */
  silo_role: SiloRole.nullable(),
  /** Projects on which the user or a group of theirs has a role. */
  project_count: uint32,
})

export const UserDetailsResultsPage = record('UserDetailsResultsPage', {
  items: list(UserDetails),
  next_page: string.nullable().optional(),
  /** Users on all pages; null if there are more than `LIST_COUNT_MAX`. */
  total: uint64.nullable(),
})
