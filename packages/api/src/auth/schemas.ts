import { PASSWORD_MAX } from '../rules/limits.ts'
import { named, record, text, UserId } from '../schema.ts'

/** At most 512 bytes of UTF-8; no rule about what is in it. */
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
