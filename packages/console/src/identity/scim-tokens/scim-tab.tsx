import { SCIM_PATH } from '@steading/api/rules'
import type { ScimClientBearerToken } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { apiQueryErrorsAllowed, usePrefetchedQuery } from '../../data/api.ts'
import { createdColumn } from '../../page/columns.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { siloQuery, useSiloParam, siloTabs } from '../../tenancy/silos/queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Card, CardBody, CardEmpty } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { CopyableId, CopyButton } from '../../ui/copy-button.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { DocsPopover } from '../../ui/page-header.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Tag } from '../../ui/tag.tsx'
import { Mono } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'

const CreateToken = lazyPart(() =>
  import('./create-token.tsx').then((module) => ({ default: module.CreateToken })),
)

const columns: Column<ScimClientBearerToken>[] = [
  { id: 'id', header: 'ID', cell: ({ id }) => <CopyableId id={id} /> },
  { ...createdColumn, phone: 'second', labelled: true },
  {
    id: 'expires',
    header: 'Expires',
    width: 176,
    phone: 'second',
    labelled: true,
    cell: ({ timeExpires }) => (timeExpires ? <DateTime date={timeExpires} /> : <Tag>Never</Tag>),
  },
]

export function ScimTab() {
  const silo = useSiloParam()
  const { identityMode } = usePrefetchedQuery(siloQuery(silo)).data
  const { data, error, refetch } = useQuery(
    apiQueryErrorsAllowed('scimTokenList', { query: { silo } }),
  )
  const [creating, setCreating] = useState(false)
  const rowActions = useTokenActions(silo)
  const refusal = data?.type === 'error' ? data.error : undefined
  const tokens = data?.type === 'success' ? data.data : undefined
  const create: MenuAction = {
    label: 'Create token',
    calls: 'scimTokenCreate',
    onAction: () => setCreating(true),
  }
  const address = window.location.origin + SCIM_PATH
  return (
    <TabPanel of={siloTabs} tab="SCIM">
      <Card
        title="SCIM Tokens"
        description="An identity provider needs one to manage the users and groups of this silo"
        actions={
          <>
            <DocsPopover
              topic="SCIM"
              summary="Over SCIM 2.0, an identity provider creates, changes and deactivates the users of a silo, and says who is in which group. It needs the address and a token."
            />
            {tokens && <ActionButtons actions={[create]} />}
          </>
        }
      >
        {refusal?.statusCode === 403 ? (
          <CardEmpty
            title="You do not have permission to view SCIM tokens"
            body="Only fleet and silo admins can manage SCIM tokens for this silo"
          />
        ) : (
          <>
            <CardBody>
              {identityMode !== 'saml_scim' && (
                <Banner>
                  This silo does not get its users over SCIM, so its tokens are refused.
                </Banner>
              )}
              <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
                <span className="text-secondary">Address for the provider</span>
                <span className="flex min-w-0 items-center gap-1">
                  <Mono className="min-w-0 wrap-anywhere">{address}</Mono>
                  <CopyButton text={address} />
                </span>
              </div>
            </CardBody>
            <div className="border-t">
              <LoadedTable
                what="The SCIM tokens"
                label="SCIM Tokens"
                columns={columns}
                read={{ rows: tokens, error: refusal ?? error, refetch }}
                actions={rowActions}
                copyIdLabel="Copy token ID"
                skeletonRows={2}
                empty={{
                  icon: KeyRound,
                  title: 'No SCIM tokens',
                  body: 'Create a token to see it here',
                }}
              />
            </div>
          </>
        )}
      </Card>
      {creating && (
        <DialogPart onDismiss={() => setCreating(false)}>
          <CreateToken silo={silo} onDismiss={() => setCreating(false)} />
        </DialogPart>
      )}
    </TabPanel>
  )
}

function useTokenActions(silo: string): (token: ScimClientBearerToken) => MenuAction[] {
  const remove = useApiAction('scimTokenDelete')
  return ({ id }) => [
    {
      label: 'Delete',
      danger: true,
      calls: 'scimTokenDelete',
      onAction: () =>
        confirmDelete({
          kind: 'SCIM token',
          name: id,
          extra:
            'A provider that uses the token can no longer change users and groups. Existing ones stay.',
          ...remove({ path: { tokenId: id }, query: { silo } }),
        }),
    },
  ]
}
