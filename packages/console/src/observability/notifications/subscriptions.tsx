import type { NotificationSubscription } from '@steading/api/client'
import { notificationTopics } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { BellPlus, Bell, Pencil } from 'lucide-react'
import { useState } from 'react'
import { apiQuery, useApiMutation } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { CreateButton, useCreate } from '../../page/create-action.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { QueryError } from '../../page/query-error.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import { EmptyCell, Truncate } from '../../ui/text.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { subscriptionsQuery } from './queries.ts'
import {
  aboutWords,
  channelLabels,
  whenWords,
  stateTones,
  stateLabels,
  topicsWords,
  topicLabels,
} from './labels.ts'

const forms = () => import('./subscription-forms.tsx')
const CreateForm = lazyPart(() =>
  forms().then((module) => ({ default: module.NotificationSubscriptionForm })),
)
const EditForm = lazyPart(() =>
  forms().then((module) => ({ default: module.SubscriptionEditForm })),
)
const TopicsForm = lazyPart(() => forms().then((module) => ({ default: module.TopicsForm })))

const columns = (project: string | undefined): Column<NotificationSubscription>[] => [
  {
    id: 'target',
    header: 'sent to',
    cell: ({ channel, target, problem }) => (
      <span className="min-w-0">
        <span className="font-medium">{channelLabels[channel]}</span>{' '}
        <span className="text-secondary wrap-anywhere">{target}</span>
        {problem !== null && (
          <span className="block text-xs text-red-text wrap-anywhere">{problem}</span>
        )}
      </span>
    ),
  },
  ...(project === undefined
    ? [
        {
          id: 'about',
          header: 'about',
          width: 208,
          cell: (one: NotificationSubscription) => <Truncate text={aboutWords(one)} />,
        },
      ]
    : []),
  {
    id: 'topics',
    header: 'topics',
    width: 208,
    cell: (one) => <Truncate text={topicsWords(one)} />,
  },
  {
    id: 'digest',
    header: 'when',
    width: 208,
    phone: 'second',
    cell: (one) => <Truncate text={whenWords(one)} />,
  },
  {
    id: 'state',
    header: 'state',
    width: 136,
    phone: 'second',
    cell: ({ state }) => <StateBadge tone={stateTones[state]}>{stateLabels[state]}</StateBadge>,
  },
  {
    id: 'sent',
    header: 'last sent',
    width: 120,
    cell: ({ timeLastSent }) =>
      timeLastSent ? <TimeAgo date={timeLastSent} caption="Last sent" ago /> : <EmptyCell />,
  },
]

function useActions(edit: (row: NotificationSubscription) => void) {
  const remove = useDeleteAction('notificationSubscriptionDelete', 'subscription', {
    toast: 'Subscription deleted',
  })
  const { mutate } = useApiMutation('notificationSubscriptionTest', {
    onSuccess: ({ state }) => {
      addToast(
        state === 'unconfirmed'
          ? 'The mail that asks to confirm the address is sent again'
          : 'A test message is sent',
      )
    },
  })
  return (row: NotificationSubscription): MenuAction[] => [
    {
      label: row.state === 'unconfirmed' ? 'Ask again' : 'Send a test',
      calls: 'notificationSubscriptionTest',
      onAction: () => mutate({ path: { subscription: row.id } }),
    },
    {
      label: 'Edit',
      calls: 'notificationSubscriptionUpdate',
      onAction: () => edit(row),
    },
    remove(`${channelLabels[row.channel]} ${row.target}`, { path: { subscription: row.id } }),
  ]
}

/**
 * The subscriptions of the user, or of a project.
 * @param project undefined for the user's own
 */
export function Subscriptions({ project }: { project?: string }) {
  const { data, error, refetch } = useQuery(subscriptionsQuery(project))
  const [creating, setCreating] = useState(false)
  const [edited, setEdited] = useState<NotificationSubscription>()
  const hasMail = useCapability('notificationMail')
  const hasOthers = useCapability('notificationWebhooks')
  const actions = useActions(setEdited)
  const create = {
    label: 'New subscription',
    icon: BellPlus,
    calls:
      project === undefined
        ? { operation: 'notificationSubscriptionCreate', about: [] }
        : {
            operation: 'notificationSubscriptionCreate',
            about: ['project_notification_subscription'],
          },
    onAction: () => setCreating(true),
  }
  const isPossible = hasMail || hasOthers
  useCreate(isPossible ? create : undefined)
  return (
    <>
      {!isPossible && (
        <div className="px-(--gutter)">
          <Banner>
            This control plane sends neither mail nor messages, so notifications are shown in the
            console only.
          </Banner>
        </div>
      )}
      {isPossible && !hasMail && (
        <div className="px-(--gutter)">
          <Banner>
            Mail is not set up, so notifications go to webhooks and chats only. An operator sets up
            mail by starting the server with --smtp-url and --mail-from.
          </Banner>
        </div>
      )}
      <Card
        title="Subscriptions"
        description={
          project === undefined
            ? 'Notifications that are sent to you outside of the console'
            : 'Notifications of this project that are sent to a chat room, an address or a webhook'
        }
        actions={isPossible && <CreateButton {...create} />}
      >
        <LoadedTable
          what="The subscriptions"
          label="Subscriptions"
          columns={columns(project)}
          read={{ rows: data?.items, error, refetch }}
          actions={actions}
          skeletonRows={2}
          empty={{
            icon: Bell,
            title: 'No subscriptions',
            body: 'Get notified by email, chat or webhook when a disk fills or a schedule fails',
          }}
        />
      </Card>
      {creating && (
        <DialogPart onDismiss={() => setCreating(false)}>
          <CreateForm project={project} onDismiss={() => setCreating(false)} />
        </DialogPart>
      )}
      {edited && (
        <DialogPart onDismiss={() => setEdited(undefined)}>
          <EditForm subscription={edited} onDismiss={() => setEdited(undefined)} />
        </DialogPart>
      )}
    </>
  )
}

/** The topics that the user's notifications show. */
export function Topics() {
  const { data, error, refetch } = useQuery(apiQuery('notificationSettingsView', {}))
  const [editing, setEditing] = useState(false)
  return (
    <Card
      title="Topics"
      description="Shown in your notifications, and sent by subscriptions to everything in them"
      actions={
        data && (
          <ActionButtons
            actions={[
              {
                label: 'Choose topics',
                icon: <Pencil size={16} strokeWidth={1.5} aria-hidden />,
                calls: 'notificationSettingsUpdate',
                onAction: () => setEditing(true),
              },
            ]}
          />
        )
      }
    >
      <QueryError error={error} onRetry={refetch} />
      {data && (
        <CardBody>
          <ul className="flex flex-wrap gap-x-6 gap-y-1.5">
            {notificationTopics.map((topic) => (
              <li
                key={topic}
                className={data.topics.includes(topic) ? undefined : 'text-tertiary line-through'}
              >
                {topicLabels[topic]}
              </li>
            ))}
          </ul>
        </CardBody>
      )}
      {editing && data && (
        <DialogPart onDismiss={() => setEditing(false)}>
          <TopicsForm present={data} onDismiss={() => setEditing(false)} />
        </DialogPart>
      )}
    </Card>
  )
}
