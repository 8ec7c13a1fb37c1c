import { sql } from 'kysely'
import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'

export const receiverIssues: Finder = async ({ db }) => {
  // The failed deliveries since the last successful one.
  const { rows } = await sql<{ id: string; name: string; failed: number; began: string }>`
    select alert_receiver.id, alert_receiver.name, count(*) as failed,
      min(its.time_started) as began
    from alert_receiver join alert_delivery as its on its.receiver_id = alert_receiver.id
      and its.state = 'failed' and its.trigger <> 'probe' and its.time_started > coalesce((
        select max(time_started) from alert_delivery as made
        where made.receiver_id = alert_receiver.id and made.state = 'delivered'), '')
    where alert_receiver.time_deleted is null
    group by alert_receiver.id, alert_receiver.name
    order by began
    limit ${ISSUE_ROWS}`.execute(db)
  return rows.map(({ id, name, failed, began }) =>
    issue('alert_receiver_failing', id, began, { name, failed: Number(failed) }),
  )
}
