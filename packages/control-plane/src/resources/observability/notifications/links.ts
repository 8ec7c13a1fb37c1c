/** Links in mails that work without signing in. */
import { CONFIRMATION_VALID_MS } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { hmac } from '../../../kernel/secrets.ts'
import { sameText } from '../../identity/auth/keyed-digest.ts'
import type { SubscriptionRow } from './wire.ts'

export type LinkPurpose = 'confirm' | 'unsubscribe'

/** The token of a link: the subscription, the purpose, and the signature of both. */
export async function linkToken(
  { id, link_key }: Pick<SubscriptionRow, 'id' | 'link_key'>,
  purpose: LinkPurpose,
): Promise<string> {
  return `${id}.${purpose}.${await hmac(link_key, purpose)}`
}

export interface FollowedLink {
  purpose: LinkPurpose
  row: SubscriptionRow
}

/** The subscription that a link is about; undefined for a token of nobody, or one too old. */
export async function followedLink(
  db: Db,
  token: string,
  now: Date,
): Promise<FollowedLink | undefined> {
  const [id = '', purpose = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || (purpose !== 'confirm' && purpose !== 'unsubscribe')) return undefined
  const row = await db
    .selectFrom('notification_subscription')
    .selectAll()
    .where('id', '=', id)
    .where('channel', '=', 'email')
    .executeTakeFirst()
  if (!row || !sameText(signature, await hmac(row.link_key, purpose))) return undefined
  const isOld =
    purpose === 'confirm' &&
    row.time_confirmed === null &&
    now.getTime() - Date.parse(row.time_modified) > CONFIRMATION_VALID_MS
  return isOld ? undefined : { purpose, row }
}
