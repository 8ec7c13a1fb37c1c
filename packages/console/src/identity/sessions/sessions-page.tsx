import type { OwnSession } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { apiQuery, refetchShown } from '../../data/api.ts'
import { signOut } from '../../data/session.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/column.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Tag } from '../../ui/tag.tsx'
import { Mono, Strong, Truncate } from '../../ui/text.tsx'
import { DateTime, TimeAgo } from '../../ui/time.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { browserName } from './browser.ts'

const columns: Column<OwnSession>[] = [
  {
    id: 'browser',
    header: 'browser',
    // Room for the tag as well.
    least: 248,
    cell: ({ userAgent, current }) => (
      <span className="inline-flex max-w-full items-center gap-2">
        <span className="truncate font-medium" {...tooltip(userAgent ?? undefined)}>
          {browserName(userAgent)}
        </span>
        {current && <Tag>This session</Tag>}
      </span>
    ),
  },
  {
    id: 'address',
    header: 'address',
    width: 152,
    phone: 'second',
    cell: ({ clientAddress }) =>
      clientAddress && (
        <Mono>
          <Truncate text={clientAddress} />
        </Mono>
      ),
  },
  {
    id: 'used',
    header: 'last used',
    width: 120,
    phone: 'second',
    labelled: true,
    cell: ({ timeLastUsed }) => <TimeAgo date={timeLastUsed} caption="Last used" ago />,
  },
  {
    id: 'created',
    header: 'signed in',
    width: 176,
    cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
  },
  {
    id: 'ends',
    header: 'ends by',
    width: 176,
    cell: ({ timeExpires }) => <DateTime date={timeExpires} />,
  },
]

export function SessionsPage() {
  const { data, error, refetch } = useQuery(apiQuery('currentUserSessionList', {}))
  const rows = data?.items
  const actions = useSessionActions()
  const endOthers = useEndOthers()
  const alone = !rows?.some(({ current }) => !current)
  return (
    <>
      <PageHeader title="Sessions" icon={<MonitorSmartphone strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="sessions"
          summary="A session begins when you sign in and ends when you sign out, when it has not been used for a while, or when you end it here. What is open in it, such as serial consoles, is closed."
        />
        <RefreshButton onRefresh={refetchShown} />
        <Button
          sends
          disabledReason={rows && alone && 'You are not signed in anywhere else'}
          onClick={endOthers}
        >
          End all other sessions
        </Button>
      </PageHeader>
      <LoadedTable
        what="The sessions"
        label="Sessions"
        columns={columns}
        read={{ rows, error, refetch }}
        actions={actions}
      />
    </>
  )
}

function useEndOthers(): () => void {
  const end = useApiAction('currentUserSessionDeleteOthers', {
    onSuccess: () => {
      addToast('All other sessions ended')
    },
  })
  return () =>
    confirmAction({
      title: 'End all other sessions',
      body: 'You will be signed out everywhere but here. Access tokens stay valid.',
      errorTitle: 'Could not end the sessions',
      danger: true,
      ...end({}),
    })
}

function useSessionActions(): (session: OwnSession) => MenuAction[] {
  const end = useApiAction('currentUserSessionDelete', {
    onSuccess: () => {
      addToast('Session ended')
    },
  })
  return ({ id, current, userAgent }) =>
    current
      ? [{ label: 'Sign out', onAction: () => void signOut() }]
      : [
          {
            label: 'End session',
            danger: true,
            onAction: () =>
              confirmAction({
                title: 'End session',
                body: (
                  <>
                    The session in <Strong>{browserName(userAgent)}</Strong> will be signed out at
                    once.
                  </>
                ),
                errorTitle: 'Could not end the session',
                danger: true,
                ...end({ path: { sessionId: id } }),
              }),
          },
        ]
}
