import type { DeviceAccessToken } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { RectangleEllipsis, Timer } from 'lucide-react'
import { useState } from 'react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { useCurrentUser } from '../../data/session.ts'
import { usePages } from '../../page/use-pages.ts'
import { BottomBar } from '../../ui/bottom-bar.tsx'
import { createdColumn } from '../../page/columns.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import type { Column } from '../../ui/column.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { CopyableId } from '../../ui/copy-button.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { Strong } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { HelpTip } from '../../ui/tooltip.tsx'
import { lifetimeText } from './lifetime.ts'
import { accessTokensQuery, authSettingsQuery } from './queries.ts'

const TokenLifetime = lazyPart(() =>
  import('./token-lifetime.tsx').then((module) => ({ default: module.TokenLifetime })),
)

const columns: Column<DeviceAccessToken>[] = [
  {
    id: 'id',
    header: 'ID',
    tip: (
      <HelpTip>
        The ID of the record of a token. It is not the token, which only its device has.
      </HelpTip>
    ),
    cell: ({ id }) => <CopyableId id={id} />,
  },
  { ...createdColumn, phone: 'second', labelled: true },
  {
    id: 'expires',
    header: 'Expires',
    width: 176,
    phone: 'second',
    labelled: true,
    cell: ({ timeExpires }) => (timeExpires ? <DateTime date={timeExpires} /> : 'Never'),
  },
]

export function AccessTokensPage() {
  const { pagination, ...read } = usePages<DeviceAccessToken>(accessTokensQuery)
  const actions = useTokenActions()
  const { siloAdmin, siloName } = useCurrentUser()
  const { data: settings } = useQuery(authSettingsQuery)
  const [changing, setChanging] = useState(false)
  const max = settings?.deviceTokenMaxTtlSeconds ?? null
  return (
    <>
      <PageHeader title="Access Tokens" icon={<RectangleEllipsis strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="access tokens"
          summary="A command line tool or another program gets an access token when you confirm its code. With it, the program can do in your name what you can do here."
        />
        <RefreshButton
          onRefresh={() => invalidate('currentUserAccessTokenList', 'authSettingsView')}
        />
        {siloAdmin && (
          <ActionButtons
            actions={[
              {
                label: 'Token lifetime',
                icon: <Timer size={16} strokeWidth={1.5} aria-hidden />,
                calls: 'authSettingsUpdate',
                disabledReason: !settings && 'The settings of the silo could not be read',
                onAction: () => setChanging(true),
              },
            ]}
          />
        )}
      </PageHeader>
      {max !== null && (
        <p className="px-(--gutter) pb-3 text-secondary">
          New tokens of silo {siloName} are valid for {lifetimeText(max)} at most.
        </p>
      )}
      <LoadedTable
        what="The access tokens"
        label="Access tokens"
        columns={columns}
        read={read}
        actions={actions}
        empty={{
          icon: RectangleEllipsis,
          title: 'No access tokens',
          body: 'Your access tokens will appear here when they are created',
        }}
      />
      {changing && settings && (
        <DialogPart onDismiss={() => setChanging(false)}>
          <TokenLifetime silo={siloName} present={max} onDismiss={() => setChanging(false)} />
        </DialogPart>
      )}
      <BottomBar>
        <Pagination {...pagination} />
      </BottomBar>
    </>
  )
}

function useTokenActions(): (token: DeviceAccessToken) => MenuAction[] {
  const deletion = useApiAction('currentUserAccessTokenDelete', {
    onSuccess: (_, { path }) => {
      void invalidate('currentUserAccessTokenList')
      addToast({
        content: (
          <>
            Access token <Strong>{path.tokenId}</Strong> deleted
          </>
        ),
      })
    },
  })
  return ({ id }) => [
    {
      label: 'Delete',
      danger: true,
      onAction: () =>
        confirmDelete({
          kind: 'access token',
          name: id,
          extra: 'This cannot be undone. Anything that uses the token will need a new one.',
          ...deletion({ path: { tokenId: id } }),
        }),
    },
  ]
}
