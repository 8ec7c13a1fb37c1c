import { jobPhrase } from '@steading/api/rules'
import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'
import { jobCounts } from './table.ts'
import { namesOf } from './wire.ts'

export const jobIssues: Finder = async ({ db, actor }) => {
  // Jobs are private to the users who started them.
  const jobs = await db
    .selectFrom('job')
    .select(['id', 'action', 'kind', 'name', 'inside', 'targets', 'counts', 'time_finished'])
    .where('user_id', '=', actor.userId)
    .where('state', '=', 'done')
    .where('time_deleted', 'is', null)
    .orderBy('time_created', 'desc')
    .limit(ISSUE_ROWS)
    .execute()
  return jobs.flatMap(({ id, action, kind, name, inside, targets, counts, time_finished }) => {
    const { failed } = jobCounts.read(counts ?? '{}')
    if (failed === 0) return []
    const phrase = jobPhrase(action, { kind, name, inside: namesOf(inside), count: targets })
    return [issue('job_failed', id, time_finished, { id, phrase, failed })]
  })
}
