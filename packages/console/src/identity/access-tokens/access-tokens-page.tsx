import { useQuery } from '@tanstack/react-query'
import { Plus, RectangleEllipsis, Timer } from 'lucide-react'
import { useState } from 'react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { refetchShown } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useCurrentUser } from '../../data/session.ts'
import { usePages } from '../../page/use-pages.ts'
import { BottomBar } from '../../ui/bottom-bar.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { confirmDelete } from '../../ui/confirm.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useVersions } from '../../workspace/setting-versions/use-versions.tsx'
import { lifetimeText } from './lifetime.ts'
import { accessTokensQuery, authSettingsQuery, tokenDetailsQuery } from './queries.ts'
import { plainTokenColumns, tokenColumns, type TokenRow } from './token-columns.tsx'

const TokenLifetime = lazyPart(() =>
  import('./token-lifetime.tsx').then((module) => ({ default: module.TokenLifetime })),
)

const TokenCreate = lazyPart(() =>
  import('./token-create.tsx').then((module) => ({ default: module.TokenCreate })),
)

export function AccessTokensPage() {
  const named = useCapability('accessTokens')
  const { pagination, ...read } = usePages<TokenRow>(named ? tokenDetailsQuery : accessTokensQuery)
  const actions = useTokenActions()
  const { siloAdmin, siloId, siloName } = useCurrentUser()
  const silo = { id: siloId, name: siloName }
  const versions = useVersions('auth_settings', silo)
  const { data: settings } = useQuery(authSettingsQuery)
  const [opened, setOpened] = useState<'lifetime' | 'create'>()
  const close = () => setOpened(undefined)
  const max = settings?.deviceTokenMaxTtlSeconds ?? null
  const lifetime: MenuAction = {
    label: 'Token lifetime',
    icon: <Timer size={16} strokeWidth={1.5} aria-hidden />,
    calls: 'authSettingsUpdate',
    disabledReason: !settings && 'The settings of the silo could not be read',
    onAction: () => setOpened('lifetime'),
  }
  const create: MenuAction = {
    label: 'New token',
    icon: <Plus size={16} strokeWidth={1.5} aria-hidden />,
    calls: 'currentUserAccessTokenCreate',
    onAction: () => setOpened('create'),
  }
  return (
    <>
      <PageHeader title="Access Tokens" icon={<RectangleEllipsis strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="access tokens"
          summary="With an access token, a program acts in your name. A command line tool gets one when you confirm its code; for others, such as CI, you create one, with as few rights as they need."
        />
        <RefreshButton onRefresh={refetchShown} />
        <ActionButtons actions={siloAdmin ? [...versions.actions, lifetime] : []} />
        <ActionButtons variant="primary" actions={named ? [create] : []} />
      </PageHeader>
      {max !== null && (
        <p className="px-(--gutter) pb-3 text-secondary">
          New tokens of silo {siloName} are valid for {lifetimeText(max)} at most.
        </p>
      )}
      <LoadedTable
        what="The access tokens"
        label="Access tokens"
        columns={named ? tokenColumns : plainTokenColumns}
        read={read}
        actions={actions}
        empty={{
          icon: RectangleEllipsis,
          title: 'No access tokens',
          body: 'Your access tokens will appear here when they are created',
        }}
      />
      {versions.panel}
      {opened === 'lifetime' && settings && (
        <DialogPart onDismiss={close}>
          <TokenLifetime silo={siloName} present={max} onDismiss={close} />
        </DialogPart>
      )}
      {opened === 'create' && (
        <DialogPart onDismiss={close}>
          <TokenCreate max={max} onDismiss={close} />
        </DialogPart>
      )}
      <BottomBar>
        <Pagination {...pagination} />
      </BottomBar>
    </>
  )
}

function useTokenActions(): (token: TokenRow) => MenuAction[] {
  const deletion = useApiAction('currentUserAccessTokenDelete', {
    onSuccess: (_, { path }) => {
      addToast({
        content: (
          <>
            Access token <Strong>{path.tokenId}</Strong> deleted
          </>
        ),
      })
    },
  })
  return ({ id, name }) => [
    {
      label: 'Delete',
      danger: true,
      onAction: () =>
        confirmDelete({
          kind: 'access token',
          name: name ?? id,
          extra: 'This cannot be undone. Anything that uses the token will need a new one.',
          ...deletion({ path: { tokenId: id } }),
        }),
    },
  ]
}
