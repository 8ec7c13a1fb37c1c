import { isPrivateKey, privateKeyProblem, PUBLIC_KEY_MAX } from './public-key.ts'
import { identity, identityCreate, record, string, text, uuid } from '../../schema.ts'

export const SshKey = record('SshKey', { ...identity, public_key: string, silo_user_id: uuid })
export const SshKeyCreate = record('SshKeyCreate', {
  ...identityCreate,
  public_key: text(PUBLIC_KEY_MAX, {}, (key) =>
    isPrivateKey(key) ? privateKeyProblem : undefined,
  ),
})
