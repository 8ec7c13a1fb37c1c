import { EXPIRED_INVITATION_KEPT_MS } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'

/** Removes expired links; those of invitations later, as administrators may want to renew them. */
export async function tidyUserLinks(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('user_link')
    .where('time_expires', '<', now.toISOString())
    .where('purpose', '<>', 'invitation')
    .execute()
  const kept = new Date(now.getTime() - EXPIRED_INVITATION_KEPT_MS).toISOString()
  await db.deleteFrom('user_link').where('time_expires', '<', kept).execute()
}
