import type { IssueKind } from '@steading/api'
import {
  type ChannelType,
  type DigestName,
  type IssueSeverity,
  type NotificationStateName,
  type NotificationTopicName,
  notificationTopics,
  type SubscriptionScopeName,
} from '@steading/api/rules'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Flag, Reconciled } from '../../../kernel/db/schema.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'

/** The trouble of a thing, for all users whom it concerns. */
export interface NotificationTable {
  id: string
  /** Id of the issue. */
  issue: string
  kind: IssueKind
  topic: NotificationTopicName
  severity: IssueSeverity
  /** JSON: data of the sentence and the path of the issue. */
  facts: string
  /** Set for a notification of the system. */
  fleet_id: string | null
  /** Null for a notification of the system. */
  silo_id: string | null
  project_id: string | null
  state: NotificationStateName
  /** The state that was announced last; another one waits for `time_held`. */
  announced: NotificationStateName
  /** How often the trouble began. */
  times: number
  /** How often the state has changed. */
  changes: number
  /** Rises with every announcement in the database, in the order of commits. */
  sequence: number
  /** When it was announced last. */
  time: string
  /** When the changes since then are announced, because it keeps changing. */
  time_held: string | null
  time_began: string | null
  time_resolved: string | null
  time_created: string
}

/** A notification that a user has read; it is unread again once it is announced later. */
export interface NotificationReadTable {
  user_id: string
  notification_id: string
  time_read: string
}

/** The read position and the topics of a user. */
export interface NotificationReaderTable {
  user_id: string
  /** All notifications up to this time are read; null is the time when the user was created. */
  read_until: string | null
  /** JSON; null shows all topics. */
  topics: string | null
  /** Number of mails to confirm an address that the user has caused on a day. */
  confirmations: number
  confirmations_day: string
}

/** The reconciler claims subscriptions, so that one server at a time sends to each. */
export interface NotificationSubscriptionTable extends Reconciled {
  id: string
  /** The owner: a user or a project. Exactly one of the two is set. */
  user_id: string | null
  project_id: string | null
  /** Silo of the owner. */
  silo_id: string
  scope: SubscriptionScopeName
  /** The project of the scope `project`. */
  scope_project_id: string | null
  /** JSON. */
  topics: string
  severity: IssueSeverity
  digest: DigestName
  /** Hour of daily messages, 0 to 23. */
  daily_hour: number
  daily_time_zone: string
  channel: ChannelType
  /** Mailing address or URL. */
  address: string
  /** The room of a Matrix homeserver. */
  room: string | null
  /** The key of signatures of a webhook, or the access token of Matrix. */
  secret: string | null
  /** Key of the links in mails, so that nobody else can make them. */
  link_key: string
  /** Null while the owner of a mailing address has not agreed. */
  time_confirmed: string | null
  /** When the mail that asks for it was sent; null if that is due. */
  time_asked: string | null
  wants_test: Flag
  /** Sequence of the last notification that was sent, or was not wanted. */
  sent_until: number
  /** Failed attempts in a row. */
  attempts: number
  problem: string | null
  /** When the first of the failed attempts was made. */
  time_failed: string | null
  time_last_sent: string | null
  /** Nothing is sent before, for a rest between messages or after a failed attempt. */
  time_next_attempt: string | null
  time_created: string
  time_modified: string
}

const facts = jsonColumn<Record<string, unknown>>()

/** Large numbers of addresses, which JSON does not have. */
interface StoredBigint {
  bigint: string
}
const isStoredBigint = (value: unknown): value is StoredBigint =>
  typeof value === 'object' && value !== null && 'bigint' in value

const mapped = (all: object, change: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, change(value)]))

/** The column `facts`: the facts of an issue, of which some are big integers. */
export const notificationFacts = {
  write: (all: object): string =>
    facts.write(
      mapped(all, (value) => (typeof value === 'bigint' ? { bigint: String(value) } : value)),
    ),
  read: (text: string): Record<string, unknown> =>
    mapped(facts.read(text), (value) => (isStoredBigint(value) ? BigInt(value.bigint) : value)),
}

const topics = jsonColumn<NotificationTopicName[]>()

/** The column `topics` of a reader, which is null for all topics, including those added later. */
export const readerTopicsColumn = topics

/**
 * The column `topics` of a subscription. All topics are stored as an empty list, which includes those
 * added later.
 */
export const notificationTopicsColumn = {
  write: (chosen: readonly NotificationTopicName[]): string =>
    topics.write(
      chosen.length === notificationTopics.length
        ? []
        : notificationTopics.filter((topic) => chosen.includes(topic)),
    ),
  read: (text: string): NotificationTopicName[] => {
    const stored = topics.read(text)
    return stored.length === 0 ? [...notificationTopics] : stored
  },
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    notification: NotificationTable
    notification_read: NotificationReadTable
    notification_reader: NotificationReaderTable
    notification_subscription: NotificationSubscriptionTable
  }
}

export const notificationTables: StoredTables = {
  notification: { partOf: { project_id: 'project', silo_id: 'silo' } },
  notification_read: { partOf: { user_id: 'silo_user', notification_id: 'notification' } },
  notification_reader: { partOf: { user_id: 'silo_user' } },
}

export const notificationSubscriptionTables: StoredTables = {
  notification_subscription: {
    actsLater: 'account',
    partOf: {
      user_id: 'silo_user',
      project_id: 'project',
      scope_project_id: 'project',
      silo_id: 'silo',
    },
  },
}
