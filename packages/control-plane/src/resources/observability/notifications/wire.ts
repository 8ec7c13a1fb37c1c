import { endedSentence, issueRules, type IssueRule, type Wire } from '@steading/api'
import type { NotificationStateName } from '@steading/api/rules'
import type { Row } from '../../../kernel/kinds.ts'
import { notificationFacts, notificationTopicsColumn } from './table.ts'

export type NotificationRow = Row<'project_notification'>
export type SubscriptionRow = Row<'notification_subscription'>

interface Placed {
  project?: string | null
}

/** The facts of a notification for a reader, whose own silo has pages that others have not. */
function factsFor(row: Pick<NotificationRow, 'facts' | 'silo_id'>, siloId: string) {
  const own = row.silo_id === siloId
  return { ...notificationFacts.read(row.facts), own, within: own ? 'silo' : undefined }
}

/**
 * The sentence and the page of a notification, for a reader of a silo.
 * @param state that it tells of
 */
export function described(
  row: Pick<NotificationRow, 'kind' | 'facts' | 'silo_id'>,
  siloId: string,
  state: NotificationStateName,
): { sentence: string; path: string } {
  const rule = issueRules[row.kind] as unknown as IssueRule<object>
  const facts = factsFor(row, siloId)
  const sentence = state === 'resolved' ? endedSentence(rule, facts) : rule.sentence(facts)
  return { sentence, path: rule.path(facts) }
}

export function toWireNotification(
  row: NotificationRow & { unread: number | boolean },
  siloId: string,
): Wire.Notification {
  const { project } = notificationFacts.read(row.facts) as Placed
  return {
    id: row.id,
    kind: row.kind,
    topic: row.topic,
    level: row.project_id ? 'project' : row.silo_id ? 'silo' : 'system',
    severity: row.severity,
    state: row.state,
    ...described(row, siloId, row.state),
    project: row.project_id && project ? { id: row.project_id, name: project } : null,
    time_began: row.time_began,
    time_changed: row.time,
    time_resolved: row.time_resolved,
    times: Number(row.times),
    unread: Boolean(row.unread),
  }
}

/** The part of a URL that may be shown; the rest of it is a secret of some chats. */
const hostOf = (url: string): string => new URL(url).host

const targetOf = ({ channel, address, room }: SubscriptionRow): string =>
  channel === 'email' ? address : channel === 'matrix' ? room! : hostOf(address)

const stateOf = (row: SubscriptionRow): Wire.NotificationSubscriptionState => {
  if (row.time_confirmed === null) return 'unconfirmed'
  return row.problem === null ? 'active' : 'failing'
}

export const toWireSubscription = (
  row: SubscriptionRow & { scope_project_name?: string | null },
): Wire.NotificationSubscription => ({
  id: row.id,
  owner_project_id: row.project_id,
  scope: row.scope,
  project: row.scope_project_id
    ? { id: row.scope_project_id, name: row.scope_project_name ?? row.scope_project_id }
    : null,
  topics: notificationTopicsColumn.read(row.topics),
  severity: row.severity,
  digest: row.digest,
  daily_at: { hour: Number(row.daily_hour), time_zone: row.daily_time_zone },
  channel: row.channel,
  target: targetOf(row),
  state: stateOf(row),
  problem: row.problem,
  time_last_sent: row.time_last_sent,
  time_next_attempt: row.problem === null ? null : row.time_next_attempt,
  time_created: row.time_created,
})
