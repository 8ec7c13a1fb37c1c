import { existsSync } from 'node:fs'
import { resetPassword, type ResetProblem } from '@steading/control-plane'
import { errorCode, errorMessage } from '@steading/files'
import { type ServerConfig } from './config.ts'
import { StartError } from './errors.ts'
import { createPasswordHasher } from './passwords.ts'
import { databasePath, openDatabase } from './database.ts'

const UNDEFINED_TABLE = '42P01'

/**
 * `reset-password <silo> <user>`: prints a new password, once. Servers may keep running.
 * @throws StartError with one line for the operator
 */
export async function runResetPassword(
  config: ServerConfig,
  silo: string,
  user: string,
): Promise<void> {
  const path = databasePath(config)
  if (path !== undefined && !existsSync(path)) {
    throw new StartError(`there is no database in ${config.data}; say where it is with --data`)
  }
  const database = await openDatabase(config)
  const hasher = createPasswordHasher(config.passwordCost)
  const outcome = await resetPassword(database, hasher, { silo, user }, new Date()).catch(
    (error: unknown) => {
      if (errorCode(error) === UNDEFINED_TABLE) {
        throw new StartError('the database is empty; the first start of a server sets it up')
      }
      throw new StartError(`cannot reset the password: ${errorMessage(error)}`)
    },
  )
  const problems: Record<ResetProblem, string> = {
    'no silo': `there is no silo "${silo}"`,
    'no user': `there is no user "${user}" in silo "${silo}"`,
    'not local': `users of silo "${silo}" sign in at an identity provider, not with a password`,
  }
  if (typeof outcome === 'string') throw new StartError(problems[outcome])
  console.log(
    `The password of "${user}" in silo "${silo}" is now ${outcome.password} (shown only now)`,
  )
}
