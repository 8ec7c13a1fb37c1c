/** The rules of new passwords (NIST SP 800-63B, 5.1.1.2). Passwords that exist keep working. */
import { commonPassword, newPasswordProblem } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { PasswordHasher } from '../../../kernel/ports/passwords.ts'

/** Settings and services that the rules for passwords depend on. */
export interface PasswordRules {
  passwords: Pick<PasswordHasher, 'isCommon'>
  settings: { passwordMin: number }
}

/**
 * Why a text cannot be a new password.
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
 * @param field of the request
 * @throws ApiError 400 if a password must not become that of a user
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
