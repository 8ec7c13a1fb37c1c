import { MAIL_FAILURES_MAX } from '@steading/api/rules'
import { sql } from 'kysely'
import { type Finder, issue } from '../../../kernel/issues.ts'

/** Beginning of the problem of a mail that the mail server does not take. */
export const MAIL_SERVER_FAILED = 'mail server: '

/** Mail that the mail server does not take: notifications, and links of users. */
export const mailIssues: Finder = async ({ db }) => {
  const failing = sql`(
    select problem, time_failed, attempts from notification_subscription
    where time_failed is not null
    union all
    select problem, time_failed, attempts from user_link where time_failed is not null
  ) as its where its.attempts >= ${MAIL_FAILURES_MAX} and its.problem like ${`${MAIL_SERVER_FAILED}%`}`
  const { rows } = await sql<{ problem: string; time_failed: string }>`
    select its.problem, its.time_failed from ${failing}
    order by its.time_failed limit 1`.execute(db)
  const [first] = rows
  if (!first) return []
  const counts = await sql<{ count: number | string }>`
    select count(*) as count from ${failing}`.execute(db)
  // PostgreSQL counts by numbers that are texts.
  const count = Number(counts.rows[0]!.count)
  const problem = first.problem.slice(MAIL_SERVER_FAILED.length)
  return [issue('mail_failing', 'mail', first.time_failed, { count, problem })]
}
