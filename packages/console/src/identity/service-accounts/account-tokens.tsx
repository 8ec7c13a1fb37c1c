import { useQuery } from '@tanstack/react-query'
import { RectangleEllipsis } from 'lucide-react'
import { useState } from 'react'
import { apiQuery, PAGE_SIZE, usePrefetchedQuery } from '../../data/api.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Modal, ModalFooter } from '../../ui/modal.tsx'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { authSettingsQuery } from '../access-tokens/queries.ts'
import { tokenColumns, type TokenRow } from '../access-tokens/token-columns.tsx'
import { accountCalls, useAccountPage } from './places.ts'
import { accountQuery } from './queries.ts'

const TokenCreate = lazyPart(() =>
  import('../access-tokens/token-create.tsx').then((module) => ({ default: module.TokenCreate })),
)

const columns = tokenColumns
  .filter(({ id }) => id !== 'created')
  .map((column) => (column.id === 'name' ? { ...column, width: 112 } : column))

/** The access tokens of a service account, above the list of accounts. */
export function AccountTokensPage() {
  const { serviceAccount, project, toList } = useAccountPage()
  const { data: account } = usePrefetchedQuery(accountQuery(serviceAccount))
  const { data: settings } = useQuery(authSettingsQuery)
  const { data, error, refetch } = useQuery(
    apiQuery('serviceAccountTokenList', {
      path: { serviceAccount },
      query: { limit: PAGE_SIZE * 2, sortBy: 'time_and_id_descending' },
    }),
  )
  const [creating, setCreating] = useState(false)
  const remove = useDeleteAction('serviceAccountTokenDelete', 'access token', {
    toast: 'Access token deleted',
  })
  if (creating) {
    return (
      <DialogPart onDismiss={() => setCreating(false)}>
        <TokenCreate
          of={account}
          max={settings?.deviceTokenMaxTtlSeconds ?? null}
          onDismiss={() => setCreating(false)}
        />
      </DialogPart>
    )
  }
  return (
    <Modal
      title={`Access tokens of ${account.name}`}
      width="wide"
      onDismiss={toList}
      footer={
        <ModalFooter
          onDismiss={toList}
          cancelText="Close"
          actionText="New access token"
          calls={accountCalls('serviceAccountTokenCreate', project)}
          onAction={() => setCreating(true)}
        />
      }
    >
      <div className="[--gutter:0px] [--shell-top:0px]">
        <LoadedTable<TokenRow>
          what="The access tokens"
          label="Access tokens"
          columns={columns}
          read={{ rows: data?.items, error, refetch }}
          skeletonRows={2}
          actions={({ id, name }) => [
            remove(
              name ?? id,
              { path: { serviceAccount, tokenId: id } },
              {
                calls: accountCalls('serviceAccountTokenDelete', project),
                extra: 'This cannot be undone. Anything that uses the token will need a new one.',
              },
            ),
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
