/** Keyed digests that only this database can make, so that it recognises its own values. */
import type { Db } from '../../../kernel/db/database.ts'
import { claimSetting, readSetting } from '../../../kernel/db/setting.ts'
import { digest, randomToken } from '../../../kernel/secrets.ts'

const SECRET_BYTES = 32
const SECRET_KEY = 'device_secret'

/** The secret of this database, created on first use. */
const secretOf = async (db: Db): Promise<string> =>
  (await readSetting(db, SECRET_KEY)) ?? claimSetting(db, SECRET_KEY, randomToken(SECRET_BYTES))

/**
 * A digest of a text with the secret of this database; a digest of a digest, which prevents length
 * extension. Texts for different purposes must differ.
 */
export async function keyedDigest(db: Db, text: string): Promise<string> {
  const secret = await secretOf(db)
  return digest(`${secret} ${await digest(`${secret} ${text}`)}`)
}

/** Compares in a time that does not depend on where the texts differ. */
export function sameText(one: string, other: string): boolean {
  let different = one.length ^ other.length
  for (let index = 0; index < one.length; index++) {
    different |= one.charCodeAt(index) ^ other.charCodeAt(index)
  }
  return different === 0
}
