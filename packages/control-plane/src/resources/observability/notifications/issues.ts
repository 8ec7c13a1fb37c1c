import { MAIL_FAILURES_MAX } from '@steading/api/rules'
import { type Finder, issue } from '../../../kernel/issues.ts'
import { countRows } from '../../../kernel/db/rows.ts'

/** Beginning of the problem of a subscription whose mail server fails. */
export const MAIL_SERVER_FAILED = 'mail server: '

/** Mail that the mail server does not take. */
export const mailIssues: Finder = async ({ db }) => {
  const rows = db
    .selectFrom('notification_subscription')
    .where('time_failed', 'is not', null)
    .where('attempts', '>=', MAIL_FAILURES_MAX)
    .where('problem', 'like', `${MAIL_SERVER_FAILED}%`)
  const first = await rows
    .select(['problem', 'time_failed'])
    .orderBy('time_failed')
    .limit(1)
    .executeTakeFirst()
  if (!first) return []
  const count = await countRows(rows)
  const problem = first.problem!.slice(MAIL_SERVER_FAILED.length)
  return [issue('mail_failing', 'mail', first.time_failed, { count, problem })]
}
