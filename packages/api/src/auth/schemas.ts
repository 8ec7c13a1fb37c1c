import { PASSWORD_MAX } from '../rules/limits.ts'
import { isRelativeUri } from '../rules/sign-in.ts'
import { named, record, text, UserId } from '../schema.ts'

/** Where a browser goes after it has signed in. */
const RelativeUri = text({ format: 'uri' }, (value) =>
  isRelativeUri(value) ? undefined : 'not a relative URI',
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
