import type { Notification } from '@steading/api/client'
import { notificationWord } from '@steading/api/rules'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Bell, CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { refetchShown } from '../../data/api.ts'
import { linkTo, samePage } from '../../data/addresses.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { usePages } from '../../page/use-pages.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/column.ts'
import { Listbox } from '../../ui/form/listbox-field.tsx'
import { CellLink } from '../../ui/link.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { QueryTabs } from '../../ui/tabs.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { useMarkAllRead, useMarkRead } from './bell.tsx'
import { notificationsQuery } from './queries.ts'
import { Subscriptions, Topics } from './subscriptions.tsx'
import { stateTone, topicLabels } from './labels.ts'

const Docs = () => (
  <DocsPopover
    topic="notifications"
    summary="Notifications tell you when issues begin and end in your projects, in your silo and, for operators, in the system. Subscriptions send them by mail, to a webhook or to a chat."
  />
)

const columns = (markRead: (ids: string[]) => void): Column<Notification>[] => [
  {
    id: 'notification',
    header: 'notification',
    cell: ({ id, sentence, path, unread, times }) => (
      <CellLink
        {...linkTo(path)}
        className={unread ? 'font-medium' : undefined}
        onClick={() => unread && markRead([id])}
      >
        {unread && <span className="sr-only">Unread: </span>}
        {sentence}
        {times > 1 && ` (${times} times)`}
      </CellLink>
    ),
  },
  {
    id: 'state',
    header: 'state',
    width: 120,
    phone: 'second',
    cell: (one) => <StateBadge tone={stateTone(one)}>{notificationWord(one)}</StateBadge>,
  },
  {
    id: 'topic',
    header: 'topic',
    width: 208,
    cell: ({ topic }) => topicLabels[topic],
  },
  {
    id: 'changed',
    header: 'changed',
    width: 120,
    phone: 'second',
    labelled: true,
    cell: ({ timeChanged }) => <TimeAgo date={timeChanged} caption="Changed" ago />,
  },
]

type Shown = 'all' | 'unread'
const choices = [
  { value: 'all', label: 'All' },
  { value: 'unread', label: 'Unread' },
] as const

function All() {
  const [shown, setShown] = useState<Shown>('all')
  const { pagination, ...read } = usePages<Notification>((pageToken) =>
    notificationsQuery({ unread: shown === 'unread' ? true : undefined, pageToken }),
  )
  const { mutate } = useMarkRead()
  const markRead = (ids: string[]) => mutate({ body: { ids } })
  const { markAll, isPending } = useMarkAllRead(pagination.hasPrev ? undefined : read.rows?.[0])
  const actions = ({ id, unread }: Notification): MenuAction[] => [
    {
      label: 'Mark as read',
      disabledReason: unread ? undefined : 'It is read already',
      onAction: () => markRead([id]),
    },
  ]
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-(--gutter) py-4">
        <div className="w-32">
          <Listbox
            aria-label="Show"
            options={[...choices]}
            value={shown}
            onChange={(value) => setShown(value as Shown)}
          />
        </div>
        <Button
          sends
          icon={<CheckCheck size={16} strokeWidth={1.5} aria-hidden />}
          loading={isPending}
          disabledReason={
            !read.rows?.some(({ unread }) => unread) && 'Nothing on this page is unread'
          }
          onClick={markAll}
        >
          Mark all as read
        </Button>
      </div>
      <LoadedTable
        what="The notifications"
        label="Notifications"
        columns={columns(markRead)}
        read={read}
        actions={actions}
        empty={
          shown === 'unread'
            ? { icon: Bell, title: 'Nothing new', body: 'You have read all notifications' }
            : {
                icon: Bell,
                title: 'No notifications',
                body: 'Issues that concern you show up here when they begin and end',
              }
        }
      />
      <Pagination {...pagination} />
    </>
  )
}

/** A user's notifications, and the subscriptions that send them elsewhere. */
export function NotificationsPage() {
  const navigate = useNavigate()
  const { tab } = useSearch({ from: '/shell/settings/notifications' })
  return (
    <>
      <PageHeader title="Notifications" icon={<Bell strokeWidth={1.5} aria-hidden />}>
        <Docs />
        <RefreshButton onRefresh={refetchShown} />
      </PageHeader>
      <QueryTabs
        label="Notifications"
        selected={tab ?? 'all'}
        onSelect={(id) =>
          void navigate({
            ...samePage({ tab: id === 'all' ? undefined : id }),
            replace: true,
          })
        }
        tabs={[
          { id: 'all', label: 'All', content: <All /> },
          {
            id: 'subscriptions',
            label: 'Subscriptions',
            content: (
              <div className="flex flex-col gap-6 py-6">
                <Subscriptions />
                <Topics />
              </div>
            ),
          },
        ]}
      />
    </>
  )
}

/** The subscriptions of a project, such as its chat room. */
export function ProjectNotificationsPage() {
  const { project } = useParams({
    from: '/shell/projects-crumb/projects/$project/notifications',
  })
  return (
    <>
      <PageHeader title="Notifications" icon={<Bell strokeWidth={1.5} aria-hidden />}>
        <Docs />
        <RefreshButton onRefresh={refetchShown} />
      </PageHeader>
      <div className="flex flex-col gap-6 pb-6">
        <Subscriptions project={project} />
      </div>
    </>
  )
}
