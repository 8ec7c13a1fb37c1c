import type { ServiceAccount } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { RectangleEllipsis } from 'lucide-react'
import { useState } from 'react'
import { ALL_ITEMS, apiQuery, invalidate, PAGE_SIZE } from '../../data/api.ts'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Card, CardEmpty } from '../../ui/card.tsx'
import { CellButton } from '../../ui/cells.tsx'
import type { Column } from '../../ui/column.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Modal, ModalFooter } from '../../ui/modal.tsx'
import { DocsPopover } from '../../ui/page-header.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { authSettingsQuery } from '../access-tokens/queries.ts'
import { tokenColumns, type TokenRow } from '../access-tokens/token-columns.tsx'

const AccountCreate = lazyPart(() =>
  import('./account-forms.tsx').then((module) => ({ default: module.AccountCreate })),
)
const AccountEdit = lazyPart(() =>
  import('./account-forms.tsx').then((module) => ({ default: module.AccountEdit })),
)
const TokenCreate = lazyPart(() =>
  import('../access-tokens/token-create.tsx').then((module) => ({ default: module.TokenCreate })),
)

type Opened = 'create' | { what: 'edit' | 'tokens' | 'token'; account: ServiceAccount }

/**
 * The service accounts of a project, or of the silo, below its role assignments. A user who may not
 * read them sees nothing of them.
 */
export default function ServiceAccounts({ project }: { project?: string }) {
  const { data, error, refetch } = useQuery(
    apiQuery('serviceAccountList', { query: { project, limit: ALL_ITEMS } }),
  )
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const remove = useApiAction('serviceAccountDelete', {
    onSuccess: () => {
      void invalidate('serviceAccountList', 'identityList', 'userList')
      addToast('Service account deleted')
    },
  })
  const { data: settings } = useQuery(authSettingsQuery)
  if (error && 'statusCode' in error && error.statusCode === 403) return null
  // Roles on a project permit changing those of the project only.
  const about = project === undefined ? 'silo_service_account' : 'service_account'
  const calls = (operation: string) => ({ operation, about: [about] as const, project })
  const columns: Column<ServiceAccount>[] = [
    {
      id: 'name',
      header: 'name',
      cell: (account) => (
        <CellButton onClick={() => setOpened({ what: 'tokens', account })}>
          {account.name}
        </CellButton>
      ),
    },
    descriptionColumn,
    { ...createdColumn, phone: 'second', labelled: true },
  ]
  const actions = (account: ServiceAccount): MenuAction[] => [
    {
      label: 'Access tokens',
      local: true,
      onAction: () => setOpened({ what: 'tokens', account }),
    },
    {
      label: 'Edit',
      calls: calls('serviceAccountUpdate'),
      onAction: () => setOpened({ what: 'edit', account }),
    },
    {
      label: 'Delete',
      danger: true,
      calls: calls('serviceAccountDelete'),
      onAction: () =>
        confirmDelete({
          kind: 'service account',
          name: account.name,
          extra: 'Its tokens and roles go with it. Anything that uses a token is refused at once.',
          ...remove({ path: { serviceAccount: account.id } }),
        }),
    },
  ]
  const create: MenuAction = {
    label: 'New service account',
    calls: calls('serviceAccountCreate'),
    onAction: () => setOpened('create'),
  }
  const account = typeof opened === 'object' ? opened.account : undefined
  const what = typeof opened === 'object' ? opened.what : opened
  return (
    <div className="pt-8 pb-4">
      <Card
        title="Service accounts"
        description={
          project === undefined
            ? 'Users of the silo without a person, for programs'
            : 'Users without a person, for programs. They have rights in this project only.'
        }
        actions={
          <>
            <DocsPopover
              topic="service accounts"
              summary="A service account has roles like a user, and access tokens that you create for it. It has no password and cannot sign in here. It stays when the people who made it leave."
            />
            <ActionButtons actions={[create]} />
          </>
        }
      >
        {data?.items.length === 0 ? (
          <CardEmpty
            title="No service accounts"
            body="Create one for CI, or for another program that acts without a person."
          />
        ) : (
          <LoadedTable
            what="The service accounts"
            label="Service accounts"
            columns={columns}
            read={{ rows: data?.items, error, refetch }}
            actions={actions}
            skeletonRows={2}
          />
        )}
      </Card>
      {what === 'create' && (
        <DialogPart onDismiss={close}>
          <AccountCreate
            project={project}
            calls={calls('serviceAccountCreate')}
            onDismiss={close}
            onCreated={(made) => setOpened({ what: 'tokens', account: made })}
          />
        </DialogPart>
      )}
      {account && what === 'edit' && (
        <DialogPart onDismiss={close}>
          <AccountEdit account={account} calls={calls('serviceAccountUpdate')} onDismiss={close} />
        </DialogPart>
      )}
      {account && what === 'tokens' && (
        <Tokens
          account={account}
          calls={calls}
          onCreate={() => setOpened({ what: 'token', account })}
          onDismiss={close}
        />
      )}
      {account && what === 'token' && (
        <DialogPart onDismiss={() => setOpened({ what: 'tokens', account })}>
          <TokenCreate
            of={account}
            max={settings?.deviceTokenMaxTtlSeconds ?? null}
            onDismiss={() => setOpened({ what: 'tokens', account })}
          />
        </DialogPart>
      )}
    </div>
  )
}

const columnsInDialog = tokenColumns
  .filter(({ id }) => id !== 'created')
  .map((column) => (column.id === 'name' ? { ...column, width: 112 } : column))

type TokensProps = {
  account: ServiceAccount
  calls: (operation: string) => NonNullable<MenuAction['calls']>
  onCreate: () => void
  onDismiss: () => void
}

function Tokens({ account, calls, onCreate, onDismiss }: TokensProps) {
  const path = { serviceAccount: account.id }
  const { data, error, refetch } = useQuery(
    apiQuery('serviceAccountTokenList', {
      path,
      query: { limit: PAGE_SIZE * 2, sortBy: 'time_and_id_descending' },
    }),
  )
  const remove = useApiAction('serviceAccountTokenDelete', {
    onSuccess: () => {
      void invalidate('serviceAccountTokenList')
      addToast('Access token deleted')
    },
  })
  return (
    <Modal
      title={`Access tokens of ${account.name}`}
      width="wide"
      onDismiss={onDismiss}
      footer={
        <ModalFooter
          onDismiss={onDismiss}
          cancelText="Close"
          actionText="New access token"
          calls={calls('serviceAccountTokenCreate')}
          onAction={onCreate}
        />
      }
    >
      <div className="[--gutter:0px] [--shell-top:0px]">
        <LoadedTable<TokenRow>
          what="The access tokens"
          label="Access tokens"
          columns={columnsInDialog}
          read={{ rows: data?.items, error, refetch }}
          skeletonRows={2}
          actions={({ id, name }) => [
            {
              label: 'Delete',
              danger: true,
              calls: calls('serviceAccountTokenDelete'),
              onAction: () =>
                confirmDelete({
                  kind: 'access token',
                  name: name ?? id,
                  extra: 'This cannot be undone. Anything that uses the token will need a new one.',
                  ...remove({ path: { ...path, tokenId: id } }),
                }),
            },
          ]}
          empty={{
            icon: RectangleEllipsis,
            title: 'No access tokens',
            body: 'Create one for the program that acts as this service account',
          }}
        />
      </div>
    </Modal>
  )
}
