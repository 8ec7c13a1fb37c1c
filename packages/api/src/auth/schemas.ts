import { PASSWORD_MAX } from '../rules/limits.ts'
import { named, record, text, UserId } from '../schema.ts'

/**
 * Where a browser goes after it has signed in: a path of this host, with its query. `//host` and
 * `/\\host` would lead to another one, and browsers leave out tabs and line breaks.
 */
const RelativeUri = text({ format: 'uri' }, (value) =>
  /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(value) ? undefined : 'not a relative URI',
)

/** Query of the login pages. */
export const loginQuery = { redirect_uri: RelativeUri.optional() }

/** At most 512 bytes of UTF-8; any characters. */
export const Password = named(
  'Password',
  text({ maxLength: PASSWORD_MAX }, (value) =>
    new TextEncoder().encode(value).length > PASSWORD_MAX
      ? 'the password provided was too long'
      : undefined,
  ),
)

export const UsernamePasswordCredentials = record('UsernamePasswordCredentials', {
  username: UserId,
  password: Password,
})
