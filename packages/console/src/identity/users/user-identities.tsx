import type { UserDetails, UserIdentity } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { User } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { readingOf } from '../../data/reads.ts'
import { QueryError } from '../../page/query-error.tsx'
import { useApiAction, useApiForm } from '../../workspace/as-code/as-code.tsx'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { ReadOnlySideModal } from '../../ui/side-modal.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Strong, Truncate } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'

const protocols: Record<UserIdentity['providerType'], string> = { saml: 'SAML', oidc: 'OpenID' }

type Props = { silo: string; user: UserDetails; onDismiss: () => void }

/** The identity providers through which a user signs in. */
export default function UserIdentities({ silo, user, onDismiss }: Props) {
  const { data, error, refetch } = useQuery(
    apiQuery('userIdentityList', { path: { userId: user.id }, query: { silo } }),
  )
  const [linking, setLinking] = useState(false)
  const byProvider = Map.groupBy(data?.items ?? [], ({ providerId }) => providerId)
  return (
    <ReadOnlySideModal
      title="Identity providers"
      subtitle={
        <>
          <User size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={user.displayName} />
        </>
      }
      onDismiss={onDismiss}
    >
      <p className="text-secondary">
        The user signs in through linked providers only. If a provider’s sign-in is refused because
        the user is not linked to it, link that provider here, with the name in the refusal.
      </p>
      {!data ? (
        error ? (
          <div className="[--gutter:0px]">
            <QueryError error={error} onRetry={refetch} />
          </div>
        ) : (
          <SkeletonCell width="w-56" />
        )
      ) : byProvider.size === 0 ? (
        <p>The user has no identity provider, and cannot sign in.</p>
      ) : (
        [...byProvider.values()].map((identities) => (
          <Provider key={identities[0]!.providerId} {...{ silo, user, identities }} />
        ))
      )}
      <div>
        <Button calls={linkCalls} sends onClick={() => setLinking(true)}>
          Link a provider
        </Button>
      </div>
      {linking && <LinkProvider {...{ silo, user }} onDismiss={() => setLinking(false)} />}
    </ReadOnlySideModal>
  )
}

const linkCalls = {
  operation: 'userIdentityLink',
  about: ['silo_user', 'saml_identity_provider'],
} as const

type ProviderProps = Omit<Props, 'onDismiss'> & {
  /** Names of the user at one provider. */
  identities: UserIdentity[]
}

function Provider({ silo, user, identities }: ProviderProps) {
  const { providerId, providerName, providerType, timeCreated } = identities[0]!
  const unlink = useApiAction('userIdentityUnlink', {
    onSuccess: () => {
      addToast('Provider unlinked')
    },
  })
  return (
    <section aria-label={providerName} className="flex flex-col gap-2">
      <header className="flex min-h-7 items-center justify-between gap-2">
        <h3 className="flex min-w-0 items-center gap-2 font-medium">
          <Truncate text={providerName} />
          <Tag>{protocols[providerType]}</Tag>
        </h3>
        <Button
          size="sm"
          calls="userIdentityUnlink"
          sends
          onClick={() =>
            confirmAction({
              title: 'Unlink provider',
              body: (
                <>
                  <Strong>{user.displayName}</Strong> can no longer sign in through{' '}
                  <Strong>{providerName}</Strong>. All sessions and access tokens of the user end.
                </>
              ),
              errorTitle: 'Could not unlink the provider',
              danger: true,
              ...unlink({ path: { userId: user.id, providerId }, query: { silo } }),
            })
          }
        >
          Unlink
        </Button>
      </header>
      <PropertiesTable className="shrink-0">
        <PropertiesTable.Row label="Name there">
          <span className="min-w-0 wrap-anywhere">
            {identities.map(({ name }) => name).join(', ')}
          </span>
        </PropertiesTable.Row>
        <PropertiesTable.DateRow date={timeCreated} label="Linked" />
      </PropertiesTable>
    </section>
  )
}

/** A form that links another provider, or another name at a linked provider. */
function LinkProvider({ silo, user, onDismiss }: Props) {
  const form = useForm({ defaultValues: { provider: '', name: user.displayName } })
  const inSilo = { query: { silo, limit: ALL_ITEMS } }
  const saml = useQuery(apiQuery('siloIdentityProviderList', inSilo))
  const oidc = useQuery(apiQuery('oidcIdentityProviderSearch', inSilo))
  const optionsOf = (providers: { id: string; name: string }[] = [], protocol: string) =>
    providers.map(({ id, name }) => ({ value: id, label: `${name} (${protocol})` }))
  const link = useApiForm(
    'userIdentityLink',
    ({ provider, name }: { provider: string; name: string }) => ({
      path: { userId: user.id },
      query: { silo },
      body: { provider, name: name.trim() },
    }),
    {
      onSuccess: ({ providerName }) => {
        addToast({
          content: (
            <>
              <Strong>{user.displayName}</Strong> signs in through <Strong>{providerName}</Strong>
            </>
          ),
        })
        onDismiss()
      },
    },
  )
  return (
    <ModalForm
      form={form}
      title="Link a provider"
      submitLabel="Link provider"
      {...link}
      calls={linkCalls}
      onDismiss={onDismiss}
    >
      <ListboxField
        control={form.control}
        name="provider"
        label="Identity provider"
        required
        empty="This silo has no identity provider"
        {...readingOf(saml, oidc)}
        options={[
          ...optionsOf(saml.data?.items, protocols.saml),
          ...optionsOf(oidc.data?.items, protocols.oidc),
        ]}
      />
      <TextField
        control={form.control}
        name="name"
        label="Name at the provider"
        description="The NameID of SAML, or the user claim of OpenID Connect. A person whom the provider signs in under this name becomes this user."
        required
      />
    </ModalForm>
  )
}
