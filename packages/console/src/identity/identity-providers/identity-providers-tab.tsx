import type { IdentityProvider, OidcIdentityProvider, SignInPolicy } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { IdCard, Plus } from 'lucide-react'
import { useState } from 'react'
import { apiQuery, usePrefetchedQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import type { ListColumn } from '../../page/columns.tsx'
import { type Create, CreateButton, useCreate } from '../../page/create-action.tsx'
import { ListContents } from '../../page/list-contents.tsx'
import { resourceList, useResourceList } from '../../page/resource-list.tsx'
import { OptionalValue } from '../../page/query-error.tsx'
import { pathTo } from '../../data/addresses.ts'
import { siloQuery, useSiloParam, siloTabs } from '../../tenancy/silos/queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { CellLink } from '../../ui/link.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Tag } from '../../ui/tag.tsx'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { useVersions } from '../../workspace/setting-versions/use-versions.tsx'
import { providerListDefinition } from './queries.ts'

/** A row carries its kind if it comes from the second list. */
type Provider = (IdentityProvider | OidcIdentityProvider) & { kind?: ProviderKind }
type ProviderKind = 'saml_identity_provider' | 'oidc_identity_provider'

const kindOf = ({ kind = 'saml_identity_provider' }: Provider): ProviderKind => kind

const protocols = {
  saml_identity_provider: { label: 'SAML', to: '/system/silos/$silo/idps/saml/$provider' },
  oidc_identity_provider: { label: 'OpenID', to: '/system/silos/$silo/idps/oidc/$provider' },
} as const

const columns = ({ silo }: { silo: string }): ListColumn<Provider>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: (provider) => (
      <CellLink to={protocols[kindOf(provider)].to} params={{ silo, provider: provider.name }}>
        {provider.name}
      </CellLink>
    ),
  },
  { id: 'description', phone: 'second' },
  {
    id: 'type',
    header: 'Type',
    width: 96,
    phone: 'first',
    cell: (provider) => <Tag>{protocols[kindOf(provider)].label}</Tag>,
  },
  'created',
]

const providers = resourceList({
  list: providerListDefinition,
  noun: 'identity provider',
  icon: IdCard,
  path: '/system/silos/$silo/idps',
  columns,
  bulk: true,
})

/** The deletion of a provider, where the control plane has one. */
function useProviderActions(silo: string): (provider: Provider) => MenuAction[] {
  const supported = useCapability('oidc')
  const options = {
    toast: 'Identity provider deleted',
  }
  const removeSaml = useDeleteAction('samlIdentityProviderDelete', 'identity provider', options)
  const removeOidc = useDeleteAction('oidcIdentityProviderDelete', 'identity provider', options)
  return (provider) => {
    const { name } = provider
    const args = { path: { provider: name }, query: { silo } }
    const isOidc = kindOf(provider) === 'oidc_identity_provider'
    if (!supported) return []
    return [
      isOidc
        ? removeOidc(name, args, { extra: 'Users who signed in through it are signed out.' })
        : removeSaml(name, args, {
            extra: 'Nobody can sign in through it any more. Present sessions go on until they end.',
          }),
    ]
  }
}

export function IdentityProvidersTab() {
  const silo = useSiloParam()
  const { identityMode } = usePrefetchedQuery(siloQuery(silo)).data
  const supported = useCapability('oidc')
  const hasPolicy = useCapability('secondFactors')
  const hasUsers = useCapability('users')
  const page = useResourceList(providers, { silo })
  const actions = useProviderActions(silo)
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
  const isEmpty = page.list.rows?.length === 0 && !page.list.isFiltered
  const buttons = (
    <>
      {supported && <CreateButton {...createOidc} />}
      <CreateButton {...create} />
    </>
  )
  return (
    <TabPanel of={siloTabs} tab="Identity providers">
      <ListContents
        {...page}
        actions={actions}
        empty={{
          ...page.empty,
          body: isLocal
            ? 'The users of this silo have passwords'
            : 'Users can sign in once this silo has one',
          below: (
            <div className="mt-4 flex flex-wrap justify-center gap-2">
              {isLocal
                ? hasUsers && (
                    <LinkButton to="/system/silos/$silo/users" params={{ silo }}>
                      Open the users
                    </LinkButton>
                  )
                : buttons}
            </div>
          ),
        }}
        // Above rows; the empty list has them below its text.
        above={
          (isLocal || !isEmpty) && (
            <div className="flex flex-wrap justify-end gap-2 px-(--gutter) pb-4">
              {isLocal ? (
                <Button
                  icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
                  disabledReason="The users of this silo have passwords, and sign in here"
                >
                  New provider
                </Button>
              ) : (
                buttons
              )}
            </div>
          )
        }
      />
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
