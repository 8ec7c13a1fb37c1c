import { TIME_ZONE_MAX } from '../../compute/schedules/rules.ts'
import { URL_MAX } from '../../rules/urls.ts'
import { issueFields } from '../issues/schemas.ts'
import {
  array,
  boolean,
  dateTime,
  integer,
  list,
  Name,
  named,
  NameOrId,
  oneOf,
  record,
  ruledText,
  string,
  tagged,
  uint32,
  uuid,
} from '../../schema.ts'
import {
  CHANNEL_SECRET_MAX,
  channelTypes,
  DAILY_HOUR_MAX,
  digests,
  MAIL_ADDRESS_MAX,
  MATRIX_ROOM_MAX,
  notificationLevels,
  NOTIFICATIONS_READ_MAX,
  notificationStates,
  notificationTopics,
  subscriptionScopes,
  subscriptionStates,
} from './rules.ts'

export const NotificationTopic = named('NotificationTopic', oneOf(...notificationTopics))
const { kind, severity, sentence, path } = issueFields

export const Notification = record('Notification', {
  id: uuid,
  kind,
  topic: NotificationTopic,
  level: named('NotificationLevel', oneOf(...notificationLevels)),
  severity,
  state: named('NotificationState', oneOf(...notificationStates)),
  sentence,
  /** Path of the console page of the issue. */
  path,
  project: record('NotificationProject', { id: uuid, name: Name }).nullable(),
  /** Start of the trouble; null if unknown. */
  time_began: dateTime.nullable(),
  /** Last change that was announced, by which notifications are sorted. */
  time_changed: dateTime,
  time_resolved: dateTime.nullable(),
  /** How often the trouble began; a thing that has it again soon is the same notification. */
  times: uint32,
  unread: boolean,
})

export const UnreadNotifications = record('UnreadNotifications', {
  count: uint32,
  /** Whether there are more than are counted. */
  more: boolean,
})

export const NotificationsRead = record('NotificationsRead', {
  ids: array(uuid, NOTIFICATIONS_READ_MAX),
})
export const NotificationsAllRead = record('NotificationsAllRead', {
  /** Notifications up to this time are read; later ones may have come meanwhile. */
  until: dateTime,
})

const topics = array(NotificationTopic, notificationTopics.length)

/** The centre shows all notifications that concern the user, of these topics. */
export const NotificationSettings = record('NotificationSettings', { topics })

const Scope = named('NotificationScope', oneOf(...subscriptionScopes))
const Digest = named('NotificationDigest', oneOf(...digests))

/** Validated by the rules. */
const url = ruledText(URL_MAX, { format: 'uri' })

/**
 * The address of messages, validated by `channelProblem`. URLs and secrets are never returned.
 */
const NotificationChannel = named(
  'NotificationChannel',
  tagged('type', {
    email: { address: ruledText(MAIL_ADDRESS_MAX, { format: 'email' }) },
    /** Signed with the secret by HMAC-SHA256, if there is one. */
    webhook: { url, secret: ruledText(CHANNEL_SECRET_MAX).nullable().optional() },
    /** An incoming webhook. */
    slack: { url },
    /** A workflow that posts cards. */
    teams: { url },
    matrix: {
      /** The homeserver. */
      url,
      room: ruledText(MATRIX_ROOM_MAX),
      access_token: ruledText(CHANNEL_SECRET_MAX),
    },
  }),
)

/** When a daily message is sent: on the hour, by the clocks of a time zone. */
const NotificationDailyTime = record('NotificationDailyTime', {
  hour: integer('uint8', 'an hour of the day', 0, DAILY_HOUR_MAX),
  /** Name in the IANA database. */
  time_zone: ruledText(TIME_ZONE_MAX),
})

const wanted = {
  topics,
  /** `critical` omits warnings. */
  severity,
  digest: Digest,
}

export const NotificationSubscription = record('NotificationSubscription', {
  id: uuid,
  /** The project whose subscription it is; null for a subscription of a user. */
  owner_project_id: uuid.nullable(),
  scope: Scope,
  project: record('NotificationSubscriptionProject', { id: uuid, name: Name }).nullable(),
  ...wanted,
  daily_at: NotificationDailyTime,
  channel: named('NotificationChannelType', oneOf(...channelTypes)),
  /** The mailing address or the room, or the host of a URL. */
  target: string,
  state: named('NotificationSubscriptionState', oneOf(...subscriptionStates)),
  /** Why the last attempt failed. */
  problem: string.nullable(),
  time_last_sent: dateTime.nullable(),
  time_next_attempt: dateTime.nullable(),
  time_created: dateTime,
})
export const NotificationSubscriptions = record('NotificationSubscriptions', {
  items: list(NotificationSubscription),
})

export const NotificationSubscriptionCreate = record('NotificationSubscriptionCreate', {
  /** Makes it a subscription of this project. */
  owner_project: NameOrId.nullable().optional(),
  scope: Scope,
  /** The project of the scope `project`. */
  project: NameOrId.nullable().optional(),
  ...wanted,
  /** 6:00 UTC if omitted. */
  daily_at: NotificationDailyTime.optional(),
  channel: NotificationChannel,
})

export const NotificationSubscriptionUpdate = record('NotificationSubscriptionUpdate', {
  ...wanted,
  /** Unchanged if omitted. */
  daily_at: NotificationDailyTime.optional(),
  /** Replaces the address. Omitted, it stays with its secrets. */
  channel: NotificationChannel.optional(),
})

/** The link of a mail, for a page that needs no sign-in. */
export const NotificationLink = record('NotificationLink', { token: string })
export const NotificationLinkView = record('NotificationLinkView', {
  purpose: named('NotificationLinkPurpose', oneOf('confirm', 'unsubscribe')),
  address: string,
  /** Whether it was confirmed, or removed, already. */
  done: boolean,
})
