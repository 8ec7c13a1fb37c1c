/** Words of notifications and their subscriptions. */
import type { Notification, NotificationSubscription } from '@steading/api/client'
import type {
  ChannelType,
  DigestName,
  NotificationTopicName,
  SubscriptionScopeName,
  SubscriptionStateName,
} from '@steading/api/rules'
import type { StateTone } from '../../ui/state-badge.tsx'
import { formatHour } from '../../ui/exact-time.ts'
import { severityTones } from '../issues/open-issues.ts'

export const topicLabels: Record<NotificationTopicName, string> = {
  alert_rule: 'Alert rules',
  instance: 'Instances',
  schedule: 'Failed schedules',
  quota: 'Quotas nearly used up',
  storage: 'Storage and full disks',
  certificate: 'Expiring certificates',
  system: 'Other issues of the system',
}

export const channelLabels: Record<ChannelType, string> = {
  email: 'Mail',
  webhook: 'Webhook',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  matrix: 'Matrix',
}

export const digestWords: Record<DigestName, string> = {
  immediately: 'At once',
  hourly: 'Every hour',
  daily: 'Every day',
}

/** When messages are sent. */
export const whenWords = ({ digest, dailyAt }: NotificationSubscription): string =>
  digest === 'daily'
    ? `${digestWords.daily} at ${formatHour(dailyAt.hour)}, ${dailyAt.timeZone}`
    : digestWords[digest]

export const scopeWords: Record<SubscriptionScopeName, string> = {
  mine: 'Everything in my notifications',
  project: 'A project',
  silo: 'My silo and its projects',
  fleet: 'The system and all silos',
}

export const stateLabels: Record<SubscriptionStateName, string> = {
  unconfirmed: 'Unconfirmed',
  active: 'Active',
  failing: 'Failing',
}

export const stateTones: Record<SubscriptionStateName, StateTone> = {
  unconfirmed: 'attention',
  active: 'works',
  failing: 'failed',
}

type Stated = Pick<Notification, 'state' | 'severity'>

/** How bad it is, or that it has ended. */
export const stateTone = ({ state, severity }: Stated): StateTone =>
  state === 'resolved' ? 'works' : severityTones[severity]

export const aboutWords = ({ scope, project }: NotificationSubscription): string =>
  project ? `Project ${project.name}` : scopeWords[scope]

export const topicsWords = ({
  topics,
  severity,
}: Pick<NotificationSubscription, 'topics' | 'severity'>): string => {
  const all = Object.keys(topicLabels).length
  const named =
    topics.length === all
      ? 'All topics'
      : topics
          .map((topic, index) =>
            index === 0 ? topicLabels[topic] : topicLabels[topic].toLowerCase(),
          )
          .join(', ')
  return severity === 'critical' ? `${named}, critical only` : named
}
