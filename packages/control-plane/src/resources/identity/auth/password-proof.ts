import { notPresentPassword } from '@steading/api/rules'
import type { HttpCall } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { readLive } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { checkPassword, countAttempt } from './count-attempt.ts'

/**
 * Checks the password of the signed-in user before a change that a stranger at an unlocked screen
 * must not make. Users without a password need none.
 * @param given as `current_password` of the request
 * @throws ApiError 400 for another password, 429 after too many
 */
export async function requireOwnPassword(
  { db, actor, services }: Pick<Work, 'db' | 'actor' | 'services'>,
  { clientAddress }: Pick<HttpCall, 'clientAddress'>,
  given: string | null | undefined,
): Promise<void> {
  const { external_id, password_hash } = await readLive(
    db,
    'silo_user',
    actor.userId,
    'external_id',
    'password_hash',
  )
  if (password_hash === null) return
  const { throttle, passwords } = services
  const user = `${actor.siloName} ${external_id}`
  const counted = countAttempt(throttle, user, clientAddress, undefined)
  const matches = await checkPassword(passwords, counted, given ?? '', password_hash, {
    known: true,
  })
  if (!matches) throw fail.invalidValue('current_password', notPresentPassword)
  counted.succeeded()
}
