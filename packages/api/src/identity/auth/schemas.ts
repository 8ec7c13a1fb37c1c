import { PASSWORD_MAX } from '../../rules/limits.ts'
import { passwordRefusal } from './passwords.ts'
import { isRelativeUri, sessionEndReasons } from './sign-in.ts'
import { array, boolean, Name, named, oneOf, record, string, text, UserId } from '../../schema.ts'

/** Where a browser goes after it has signed in. */
const RelativeUri = text({ format: 'uri' }, (value) =>
  isRelativeUri(value) ? undefined : 'not a relative URI',
)

/** Query of the login pages. */
export const loginQuery = { redirect_uri: RelativeUri.optional() }

/** At most 512 bytes of UTF-8; any characters. New ones have more rules, which are no part of it. */
export const Password = named('Password', text({ maxLength: PASSWORD_MAX }, passwordRefusal))

export const UsernamePasswordCredentials = record('UsernamePasswordCredentials', {
  username: UserId,
  password: Password,
})

/** How the users of a silo sign in, and why a browser has to. */
export const SignInPage = record('SignInPage', {
  silo_name: Name,
  /** With a name and a password. */
  local: boolean,
  /** At these, by name. */
  identity_providers: array(record('SignInProvider', { name: Name, description: string })),
  /** Why the session of this browser has ended; null if it has not, or by signing out. */
  signed_out_because: named('SessionEndReason', oneOf(...sessionEndReasons)).nullable(),
})

export const OwnPassword = record('OwnPassword', {
  /** Without one, there is nothing to change: the user signs in at an identity provider. */
  has_password: boolean,
  /** The control plane has made up the present one, and it has been shown where others may see it. */
  generated: boolean,
  /** The present one broke the rules of new passwords when the user last signed in. */
  weak: boolean,
})

export const OwnPasswordUpdate = record('OwnPasswordUpdate', {
  current_password: Password,
  new_password: Password,
  /** Ends all sessions but the one of this call. Access tokens stay valid. */
  end_other_sessions: boolean,
})
