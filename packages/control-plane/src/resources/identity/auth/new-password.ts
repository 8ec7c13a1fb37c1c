/** The rules for new passwords (NIST SP 800-63B, 5.1.1.2). Existing passwords keep working. */
import { commonPassword, newPasswordProblem } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { PasswordHasher } from '../../../kernel/ports/passwords.ts'

/** Settings and services for the password rules. */
export interface PasswordRules {
  passwords: Pick<PasswordHasher, 'isCommon'>
  settings: { passwordMin: number }
}

/**
 * The reason why a text cannot be a new password.
 * @param user name of the user
 */
export async function problemOfNew(
  { passwords, settings }: PasswordRules,
  password: string,
  user: string,
): Promise<string | undefined> {
  const problem = newPasswordProblem(password, settings.passwordMin, user)
  if (problem) return problem
  return (await passwords.isCommon?.(password)) ? commonPassword : undefined
}

/**
 * @param field the field of the request
 * @throws ApiError 400 if the user must not have this password
 */
export async function requireGoodPassword(
  rules: PasswordRules,
  field: string,
  password: string,
  user: string,
): Promise<void> {
  const problem = await problemOfNew(rules, password, user)
  if (problem) throw fail.invalidValue(field, problem)
}
