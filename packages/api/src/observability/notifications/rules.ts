/** Notifications: issues that begin and end, for the users whom they concern. */
import type { IssueKind } from '../../kinds/issues.ts'
import type { IssueSeverity } from '../issues/rules.ts'
import { urlProblem } from '../../rules/urls.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export const NOTIFICATIONS_KEPT_DAYS = 30
/** Milliseconds for which a notification is kept after its last change. */
export const NOTIFICATIONS_KEPT_MS = NOTIFICATIONS_KEPT_DAYS * 24 * HOUR_MS
/** Notifications kept of a project, of a silo itself, and of the system; the newest ones. */
export const NOTIFICATIONS_OF_A_PLACE_MAX = 10_000
/** Unread notifications that are counted; more are "99+". */
export const UNREAD_COUNTED = 99
/** Notifications that one call marks as read. */
export const NOTIFICATIONS_READ_MAX = 100

/**
 * A thing that has the same trouble again within this time is shown by the same notification.
 * Milliseconds.
 */
export const SAME_NOTIFICATION_MS = 24 * HOUR_MS
/** Changes of one notification that are announced at once; further ones wait. */
export const PROMPT_CHANGES = 4
/** How long the changes of a notification that keeps changing are gathered. Milliseconds. */
export const FLAPPING_HOLD_MS = HOUR_MS

/** Subscriptions of a user, and of a project. */
export const NOTIFICATION_SUBSCRIPTIONS_MAX = 20
/** Mails that ask to confirm an address, per user and day. */
export const CONFIRMATIONS_A_DAY = 10
/** Milliseconds for which the link in such a mail is valid. */
export const CONFIRMATION_VALID_MS = 7 * 24 * HOUR_MS
/** Least time between two messages of a subscription. Milliseconds. */
export const MESSAGE_REST_MS = MINUTE_MS
/** Notifications listed in a message; further ones are counted. */
export const MESSAGE_SHOWN = 25
/** When daily messages are sent unless a subscription says otherwise: hour of the day, and its zone. */
export const dailyDefault = { hour: 6, time_zone: 'UTC' } as const
/** Last hour of the day. */
export const DAILY_HOUR_MAX = 23
/** Milliseconds to wait after the first failed attempt, the second, and so on; the last repeats. */
export const messageBackoffsMs = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS] as const
/** Failed attempts in a row after which operators see an issue about the mail server. */
export const MAIL_FAILURES_MAX = 2

/** Characters; RFC 5321, section 4.5.3.1. */
export const MAIL_ADDRESS_MAX = 254
/** Characters of a secret or a token of a channel. */
export const CHANNEL_SECRET_MAX = 512
/** Characters. */
export const MATRIX_ROOM_MAX = 251

/** Subjects of notifications, in the order of forms. */
export const notificationTopics = [
  'alert_rule',
  'instance',
  'schedule',
  'quota',
  'storage',
  'certificate',
  'system',
] as const
export type NotificationTopicName = (typeof notificationTopics)[number]

/** Who may read a notification: readers of its project, users of its silo, or operators. */
export const notificationLevels = ['project', 'silo', 'system'] as const
export type NotificationLevel = (typeof notificationLevels)[number]

const system = { topic: 'system', level: 'system' } as const
const storage = { topic: 'storage', level: 'system' } as const
const alertRule = { topic: 'alert_rule', level: 'project' } as const
const instance = { topic: 'instance', level: 'project' } as const
const certificate = { topic: 'certificate', level: 'silo' } as const

/**
 * Kind of issue → the topic and the level of its notifications. An alert rule without a project is
 * of the system.
 */
export const notificationsOf: Record<
  IssueKind,
  { topic: NotificationTopicName; level: NotificationLevel }
> = {
  alert_rule_critical: alertRule,
  alert_rule_warning: alertRule,
  alert_rule_failing: alertRule,
  instance_failed: instance,
  instance_stuck: instance,
  schedule_failed: { topic: 'schedule', level: 'project' },
  silo_near_quota: { topic: 'quota', level: 'silo' },
  certificate_expired: certificate,
  certificate_expiring: certificate,
  data_disk_nearly_full: storage,
  host_disk_nearly_full: storage,
  instance_paused: storage,
  physical_disk_failed: storage,
  physical_disk_expunged: storage,
  replicas_lost: storage,
  storage_pool_unreachable: storage,
  volume_damaged: storage,
  alert_receiver_failing: system,
  bfd_session_down: system,
  bgp_peer_down: system,
  database_damaged: system,
  database_replication: system,
  domain_without_instance: system,
  host_clock_apart: system,
  host_fenced: system,
  host_fencing_failed: system,
  host_fencing_untested: system,
  host_silent: system,
  host_unreachable: system,
  hosts_silent_at_once: system,
  identity_provider_expired: system,
  identity_provider_expiring: system,
  ip_pool_full: system,
  ip_pool_nearly_full: system,
  job_failed: system,
  link_down: system,
  mail_failing: system,
  network_center_silent: system,
  network_host_silent: system,
  physical_disks_waiting: system,
  server_clock_apart: system,
  sled_expunged: system,
  sled_maintenance_overdue: system,
  sled_not_responding: system,
  sleds_waiting: system,
  step_stuck: system,
  steps_failing: system,
  subnet_pool_full: system,
  subnet_pool_nearly_full: system,
  switch_port_without_link: system,
  switch_without_uplink: system,
  time_series_ahead: system,
  time_series_damaged: system,
  update_stuck: system,
  uplink_host_behind: system,
  uplink_part_left_out: system,
}

export const notificationStates = ['open', 'resolved'] as const
export type NotificationStateName = (typeof notificationStates)[number]

const severityWords: Record<IssueSeverity, string> = { critical: 'Critical', warning: 'Warning' }

/** How bad an issue is, or that it has ended. */
export const notificationWord = ({
  state,
  severity,
}: {
  state: NotificationStateName
  severity: IssueSeverity
}): string => (state === 'resolved' ? 'Resolved' : severityWords[severity])

/**
 * The part of all notifications that a subscription is about:
 * - `mine`: all that the centre of its user shows
 * - `project`: a project
 * - `silo`: the user's silo with all its projects that the user may read
 * - `fleet`: the system with all silos, for operators
 */
export const subscriptionScopes = ['mine', 'project', 'silo', 'fleet'] as const
export type SubscriptionScopeName = (typeof subscriptionScopes)[number]

export const channelTypes = ['email', 'webhook', 'slack', 'teams', 'matrix'] as const
export type ChannelType = (typeof channelTypes)[number]

export const digests = ['immediately', 'hourly', 'daily'] as const
export type DigestName = (typeof digests)[number]

/**
 * - `unconfirmed`: a mailing address whose owner has not agreed yet; nothing else is sent to it
 * - `active`: messages are sent
 * - `failing`: the last attempt failed, and is repeated
 */
export const subscriptionStates = ['unconfirmed', 'active', 'failing'] as const
export type SubscriptionStateName = (typeof subscriptionStates)[number]

/** Path of the console page of a link in a mail, which works without signing in. */
export const mailLinkPath = (token: string): string => `/login/mail-link/${token}`

export const notificationMessages = {
  noMail: 'this server sends no mail; an operator sets --smtp-url and --mail-from',
  noWebhooks: 'this server sends no messages to other servers',
  tooMany: `there can be at most ${NOTIFICATION_SUBSCRIPTIONS_MAX} subscriptions in one place`,
  tooManyConfirmations: `at most ${CONFIRMATIONS_A_DAY} mails a day ask to confirm an address`,
  noTopics: 'topics: choose at least one',
  projectMissing: 'project: a subscription to a project names it',
  projectUnused: 'project: only a subscription to a project names one',
  ofProject: 'scope: a subscription of a project is about this project',
  operatorsOnly: 'scope: only operators may subscribe to the fleet',
  confirmed: 'the address is confirmed already',
  unconfirmed: 'the address is not confirmed yet',
  badLink: 'this link is not valid, or no longer',
} as const

const addressPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** Problem of a mailing address, by the syntax of HTML's e-mail fields; undefined if there is none. */
export function mailAddressProblem(address: string): string | undefined {
  if (address === '') return 'must not be empty'
  if (address.length > MAIL_ADDRESS_MAX) return `may have at most ${MAIL_ADDRESS_MAX} characters`
  return addressPattern.test(address) ? undefined : 'must be an address like name@example.com'
}

/** Problem of a Matrix room; undefined if there is none. Matrix specification, appendix 4.2. */
export function matrixRoomProblem(room: string): string | undefined {
  return room.length <= MATRIX_ROOM_MAX && /^![^\s/?#]+$/.test(room)
    ? undefined
    : 'must be the internal ID of a room, like !abc:example.org'
}

/** Problem of a secret or token of a channel; undefined if there is none. */
export function channelSecretProblem(secret: string): string | undefined {
  // Tokens are sent in headers.
  if (!/^[\x21-\x7e]+$/.test(secret)) return 'must be printable ASCII characters without spaces'
  return secret.length > CHANNEL_SECRET_MAX
    ? `may have at most ${CHANNEL_SECRET_MAX} characters`
    : undefined
}

/** The values of a channel that have rules. */
interface ChannelValues {
  address?: string | undefined
  url?: string | undefined
  room?: string | undefined
  secret?: string | null | undefined
  access_token?: string | undefined
}

const channelRules = {
  address: mailAddressProblem,
  url: urlProblem,
  room: matrixRoomProblem,
  secret: channelSecretProblem,
  access_token: channelSecretProblem,
} as const

/** The first value of a channel that is not valid, with its problem; undefined if all are. */
export function channelProblem(
  channel: ChannelValues,
): { label: keyof ChannelValues; problem: string } | undefined {
  for (const label of Object.keys(channelRules) as (keyof ChannelValues)[]) {
    const value = channel[label]
    const problem = value === undefined || value === null ? undefined : channelRules[label](value)
    if (problem) return { label, problem }
  }
  return undefined
}
