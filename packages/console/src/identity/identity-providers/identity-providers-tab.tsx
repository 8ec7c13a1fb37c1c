import type { IdentityProvider, OidcIdentityProvider, SignInPolicy } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { IdCard, Plus } from 'lucide-react'
import { useState } from 'react'
import { apiQuery, invalidate, usePrefetchedQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import { type Create, CreateButton, useCreate } from '../../page/create-action.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { OptionalValue } from '../../page/query-error.tsx'
import { pathTo } from '../../data/addresses.ts'
import { siloQuery, useSiloParam, siloTabs } from '../../tenancy/silos/queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { confirmDelete } from '../../ui/confirm.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { Tag } from '../../ui/tag.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useVersions } from '../../workspace/setting-versions/use-versions.tsx'
import { identityProvidersQuery, oidcProvidersQuery } from './queries.ts'

type Provider = Pick<IdentityProvider, 'id' | 'name' | 'description' | 'timeCreated'> & {
  /** Undefined for a protocol that this console does not know. */
  protocol: 'saml' | 'oidc' | undefined
}

const fromSaml = (provider: IdentityProvider): Provider => ({
  ...provider,
  protocol: provider.providerType === 'saml' ? 'saml' : undefined,
})
const fromOidc = (provider: OidcIdentityProvider): Provider => ({ ...provider, protocol: 'oidc' })

const protocols = {
  saml: { label: 'SAML', to: '/system/silos/$silo/idps/saml/$provider' },
  oidc: { label: 'OpenID', to: '/system/silos/$silo/idps/oidc/$provider' },
} as const

const columnsOf = (silo: string): Column<Provider>[] => [
  {
    id: 'name',
    header: 'name',
    cell: ({ name, protocol }) =>
      protocol ? (
        <CellLink to={protocols[protocol].to} params={{ silo, provider: name }}>
          {name}
        </CellLink>
      ) : (
        name
      ),
  },
  { ...descriptionColumn, phone: 'second' },
  {
    id: 'type',
    header: 'Type',
    width: 96,
    phone: 'first',
    cell: ({ protocol }) => protocol && <Tag>{protocols[protocol].label}</Tag>,
  },
  createdColumn,
]

export function IdentityProvidersTab() {
  const silo = useSiloParam()
  const { identityMode } = usePrefetchedQuery(siloQuery(silo)).data
  const able = useCapability('oidc')
  const hasPolicy = useCapability('secondFactors')
  const saml = useQuery(identityProvidersQuery(silo))
  const oidc = useQuery({ ...oidcProvidersQuery(silo), enabled: able })
  const rows =
    saml.data && (!able || !oidc.isPending)
      ? [...saml.data.items.map(fromSaml), ...(oidc.data?.items ?? []).map(fromOidc)]
      : undefined
  const read = {
    rows,
    error: saml.error ?? oidc.error,
    refetch: () => Promise.all([saml.refetch(), able && oidc.refetch()]),
  }
  const remove = useApiAction('oidcIdentityProviderDelete', {
    onSuccess: (_, { path }) => {
      void invalidate('oidcIdentityProviderList')
      doneToast('OpenID Connect provider', path.provider, 'deleted')
    },
  })
  const actions = ({ id, name, protocol }: Provider): MenuAction[] =>
    protocol === 'oidc'
      ? [
          {
            label: 'Delete',
            danger: true,
            calls: 'oidcIdentityProviderDelete',
            onAction: () =>
              confirmDelete({
                kind: 'OpenID Connect provider',
                name,
                extra: 'Users who signed in through it are signed out.',
                ...remove({ path: { provider: name }, query: { silo } }),
              }),
          },
        ]
      : [copyAction('Copy ID', id)]
  const isLocal = identityMode === 'local_only'
  const create: Create = {
    label: 'New provider',
    quickLabel: 'New identity provider',
    icon: Plus,
    variant: 'secondary',
    calls: 'samlIdentityProviderCreate',
    path: pathTo('/system/silos/$silo/idps-new', { silo }),
  }
  const createOidc: Create = {
    label: 'New OpenID provider',
    quickLabel: 'New OpenID Connect provider',
    icon: Plus,
    variant: 'secondary',
    calls: 'oidcIdentityProviderCreate',
    path: pathTo('/system/silos/$silo/idps-new-oidc', { silo }),
  }
  useCreate(isLocal ? undefined : create)
  return (
    <TabPanel of={siloTabs} tab="Identity providers">
      <Card
        title="Identity providers"
        description="Sign-in services for the users of this silo"
        actions={
          isLocal ? (
            <Button
              icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
              disabledReason="The users of this silo have passwords, and sign in here"
            >
              New provider
            </Button>
          ) : (
            <>
              {able && <CreateButton {...createOidc} />}
              <CreateButton {...create} />
            </>
          )
        }
      >
        <LoadedTable
          what="The identity providers"
          label="Identity providers"
          columns={columnsOf(silo)}
          read={read}
          actions={actions}
          skeletonRows={2}
          empty={{
            icon: IdCard,
            title: 'No identity providers',
            body: isLocal
              ? 'The users of this silo have passwords'
              : 'Users can sign in once this silo has one',
          }}
        />
      </Card>
      {isLocal && hasPolicy && <SignInPolicyCard silo={silo} />}
      <Outlet />
    </TabPanel>
  )
}

const SignInPolicyForm = lazyPart(() =>
  import('../second-factors/factor-dialogs.tsx').then((m) => ({ default: m.SignInPolicyForm })),
)

const policies: Record<SignInPolicy['secondFactor'], string> = {
  optional: 'Optional',
  required: 'Required: a passkey, or codes of an authenticator app',
  passkey: 'A passkey is required',
}

function SignInPolicyCard({ silo }: { silo: string }) {
  const read = useQuery(apiQuery('signInPolicyView', { path: { silo } }))
  const [changing, setChanging] = useState(false)
  const { data: subject } = useQuery(siloQuery(silo))
  const versions = useVersions('sign_in_policy', subject)
  return (
    <div className="pt-6">
      <Card
        title="Second factor"
        description="For users of this silo who sign in with a password"
        actions={
          <>
            <ActionButtons actions={versions.actions} />
            <Button calls="signInPolicyUpdate" onClick={() => setChanging(true)}>
              Change policy
            </Button>
          </>
        }
      >
        <CardBody>
          <p>
            <OptionalValue by={read}>
              {({ secondFactor }) => <>{policies[secondFactor]}</>}
            </OptionalValue>
          </p>
        </CardBody>
      </Card>
      {versions.panel}
      <DialogPart onDismiss={() => setChanging(false)}>
        {changing && <SignInPolicyForm silo={silo} onDismiss={() => setChanging(false)} />}
      </DialogPart>
    </div>
  )
}
