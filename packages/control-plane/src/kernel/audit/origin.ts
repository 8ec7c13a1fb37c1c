import type { Db } from '../db/database.ts'
import type { Origin } from './entry.ts'

/**
 * The origin of the newest call about a resource, which started the work that goes on in the
 * background.
 * @param uri of the resource, if the audit log has no such call any more
 */
export async function originOf(db: Db, id: string, uri: string): Promise<Origin> {
  const call = await db
    .selectFrom('audit_log')
    .select([
      'request_id',
      'request_uri',
      'source_ip',
      'user_agent',
      'auth_method',
      'credential_id',
    ])
    .where('target_id', '=', id)
    .where('result', '=', 'success')
    .orderBy('time_completed', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    requestId: call?.request_id ?? id,
    uri: call?.request_uri ?? uri,
    sourceIp: call?.source_ip ?? '',
    userAgent: call?.user_agent ?? null,
    credential: call?.auth_method
      ? { method: call.auth_method, id: call.credential_id }
      : undefined,
  }
}
