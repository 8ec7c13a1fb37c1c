import { argon2id, argon2Verify } from 'hash-wasm'
import type { PasswordHasher } from '@steading/control-plane/ports'

/** Cheap hashes: the demo has no secrets, and the page must stay responsive. */
const COST = { parallelism: 1, iterations: 2, memorySize: 512, hashLength: 32 }
const SALT_BYTES = 16

export const demoPasswords: PasswordHasher = {
  hash: (password) =>
    argon2id({
      password,
      salt: crypto.getRandomValues(new Uint8Array(SALT_BYTES)),
      outputType: 'encoded',
      ...COST,
    }),
  verify: async (password, phc) => password !== '' && argon2Verify({ password, hash: phc }),
}
