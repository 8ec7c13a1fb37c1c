import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { PasswordHasher } from '@steading/control-plane/ports'

/** Cost of one hash. */
export interface PasswordCost {
  memoryKiB: number
  passes: number
}

/** About 0.2 s on a small machine. */
export const defaultPasswordCost: PasswordCost = { memoryKiB: 96 * 1024, passes: 3 }

const SALT_BYTES = 16
const HASH_BYTES = 32
const derive = promisify(argon2)

/**
 * @returns undefined if the text does not have the form `m=98304,t=3` or the cost is out of bounds
 */
export function parsePasswordCost(text: string): PasswordCost | undefined {
  const match = /^m=(\d{1,7}),t=(\d{1,3})$/.exec(text)
  if (!match) return undefined
  const cost = { memoryKiB: Number(match[1]), passes: Number(match[2]) }
  return cost.memoryKiB >= 8 && cost.passes >= 1 ? cost : undefined
}

const phcPattern =
  /^\$argon2id\$v=19\$(m=\d+,t=\d+),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

let common: Promise<ReadonlySet<string>> | undefined

/** Some ten thousand passwords that attackers try first. Unpacked on first use, in some 25 ms. */
const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'] as string[]),
  ))

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** Node's Argon2id, which runs off the main thread. */
export function createPasswordHasher(cost: PasswordCost = defaultPasswordCost): PasswordHasher {
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      const hash = await derive('argon2id', {
        message: password,
        nonce: salt,
        parallelism: 1,
        tagLength: HASH_BYTES,
        memory: cost.memoryKiB,
        passes: cost.passes,
      })
      const parameters = `m=${cost.memoryKiB},t=${cost.passes},p=1`
      return `$argon2id$v=19$${parameters}$${unpadded(salt)}$${unpadded(hash)}`
    },

    async verify(password, phc) {
      const match = phcPattern.exec(phc)
      const stored = match && parsePasswordCost(match[1]!)
      if (!match || !stored) return false
      const expected = Buffer.from(match[4]!, 'base64')
      const actual = await derive('argon2id', {
        message: password,
        nonce: Buffer.from(match[3]!, 'base64'),
        parallelism: Number(match[2]),
        tagLength: expected.length,
        memory: stored.memoryKiB,
        passes: stored.passes,
      })
      return timingSafeEqual(actual, expected)
    },

    isCommon: async (password) => (await commonPasswords()).has(password.toLowerCase()),
  }
}
