/** How the issues of notifications have ended, which their sentences tell. */
import { type IssueEnd, issueRules, type IssueRule } from '@steading/api'
import { isUuid, type KindName } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { anyRowsOf, findLive } from '../../../kernel/kinds.ts'
import { notificationFacts } from './table.ts'
import type { NotificationRow } from './wire.ts'

/** The resource of an issue, if it has one. */
function resourceOf({
  kind,
  issue,
  facts,
}: NotificationRow): { kind: KindName; id: string } | null {
  const rule = issueRules[kind] as unknown as IssueRule<object>
  const about = rule.kindOf?.(notificationFacts.read(facts)) ?? rule.about[0]
  const id = issue.slice(kind.length + 1)
  return about !== undefined && rule.subject && isUuid(id) ? { kind: about as KindName, id } : null
}

/** Facts about the end of an issue, while its resource is as the issue left it. */
async function endOf(db: Db, row: NotificationRow): Promise<IssueEnd> {
  const resource = resourceOf(row)
  if (!resource) return {}
  const { kind, id } = resource
  if (kind === 'instance') {
    const instance = await findLive(db, 'instance', id, 'run_state')
    return instance ? { isRunning: instance.run_state === 'running' } : { isDeleted: true }
  }
  const live = await anyRowsOf(db, kind)
    .where('its.id', '=', id)
    .select('its.id')
    .executeTakeFirst()
  return live ? {} : { isDeleted: true }
}

/** The facts of a notification whose issue has just ended. */
export const factsAtEnd = async (db: Db, row: NotificationRow): Promise<string> =>
  notificationFacts.write({ ...notificationFacts.read(row.facts), ...(await endOf(db, row)) })
