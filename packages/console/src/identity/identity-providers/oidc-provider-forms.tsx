import type { OidcIdentityProvider } from '@steading/api/client'
import {
  issuerOf,
  issuerProblem,
  oidcCallbackPath,
  oidcDefaults,
  oidcLoginPath,
  oidcLogoutUri,
  oidcSignedOutUri,
  proposedIssuer,
  redirectUriProblem,
  scopesProblem,
} from '@steading/api/rules'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useForm, useFormContext, useWatch } from 'react-hook-form'
import { seedAnswer } from '../../data/seed-answer.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { useSiloParam } from '../../tenancy/silos/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { FormSection } from '../../ui/form/field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Mono } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { AdoptUsers } from './adopt-users.tsx'
import { LastSignIn } from './last-sign-in.tsx'
import { oidcProviderQuery } from './queries.ts'

const noun = 'OpenID Connect provider'

const scopesIn = (text: string): string[] => text.split(/[\s,]+/).filter((scope) => scope !== '')

/** Values of the fields that both forms have. */
const settingsOf = (
  provider: Omit<
    OidcIdentityProvider,
    'id' | 'name' | 'issuer' | 'logoutUri' | 'signedOutUri' | 'timeCreated' | 'timeModified'
  >,
) => ({
  description: provider.description,
  clientId: provider.clientId,
  scopes: provider.scopes.join(' '),
  userClaim: provider.userClaim,
  displayNameClaim: provider.displayNameClaim ?? '',
  groupsClaim: provider.groupsClaim ?? '',
  redirectUri: provider.redirectUri,
  signOutAtProvider: provider.signOutAtProvider,
  commasInGroups: provider.commasInGroups,
})
type Settings = ReturnType<typeof settingsOf>

const fields = {
  description: 'Description',
  clientId: 'Client ID',
  scopes: 'Scopes',
  userClaim: 'User claim',
  displayNameClaim: 'Name claim',
  groupsClaim: 'Groups claim',
  redirectUri: 'Redirect URI',
  signOutAtProvider: {
    label: 'Sign out at the provider too',
    text: (chosen: boolean) => (chosen ? 'yes' : 'no'),
  },
  commasInGroups: {
    label: 'Names of groups contain commas',
    text: (chosen: boolean) => (chosen ? 'yes' : 'no'),
  },
}

const bodyOf = ({ scopes, displayNameClaim, groupsClaim, ...values }: Settings) => ({
  ...values,
  scopes: scopesIn(scopes),
  displayNameClaim: displayNameClaim.trim() || null,
  groupsClaim: groupsClaim.trim() || null,
})

/** The secret in code is a placeholder. */
const SECRET = '<client secret>'

type SettingsFieldsProps = {
  silo: string
  provider: string
  /** Whether an empty secret leaves the present one. */
  keepsSecret: boolean
}

function SettingsFields({ silo, provider, keepsSecret }: SettingsFieldsProps) {
  const { control } = useFormContext<Settings & { clientSecret: string }>()
  const redirectUri = useWatch({ control, name: 'redirectUri' })
  const logoutUri = oidcLogoutUri(redirectUri)
  const signedOutUri = oidcSignedOutUri(redirectUri)
  const signsOut = useWatch({ control, name: 'signOutAtProvider' })
  return (
    <>
      <FormSection title="Registration at the provider">
        <TextField
          name="redirectUri"
          label={fields.redirectUri}
          description="Register it at the provider. Users have to sign in at this host."
          required
          control={control}
          suffix={<CopyButton text={redirectUri} />}
          validate={(value) => redirectUriProblem(value, silo, provider)}
        />
        <PropertiesTable className="shrink-0">
          <PropertiesTable.Row label="Logout URI">
            <span className="flex min-w-0 items-center gap-1">
              <Mono className="min-w-0 wrap-anywhere">{logoutUri}</Mono>
              <CopyButton text={logoutUri} />
            </span>
          </PropertiesTable.Row>
        </PropertiesTable>
        <p className="text-xs text-secondary">
          With the back-channel logout URI, signing out at the provider ends the sessions here.
        </p>
        <CheckboxField
          name="signOutAtProvider"
          control={control}
          description="Signing out here then leads to the provider, if it publishes an end_session_endpoint, and back"
        >
          {fields.signOutAtProvider.label}
        </CheckboxField>
        {signsOut && (
          <PropertiesTable className="shrink-0">
            <PropertiesTable.Row label="Post-logout redirect URI">
              <span className="flex min-w-0 items-center gap-1">
                <Mono className="min-w-0 wrap-anywhere">{signedOutUri}</Mono>
                <CopyButton text={signedOutUri} />
              </span>
            </PropertiesTable.Row>
          </PropertiesTable>
        )}
        <TextField
          name="clientId"
          label={fields.clientId}
          required
          control={control}
          ignorePasswordManagers
        />
        <TextField
          name="clientSecret"
          label="Client secret"
          description={
            keepsSecret
              ? 'The present secret stays unless you enter another one'
              : 'Never shown again. Leave it empty for a public client.'
          }
          type="password"
          autoComplete="new-password"
          control={control}
          ignorePasswordManagers
        />
      </FormSection>
      <FormSection title="Users">
        <TextField
          name="scopes"
          label={fields.scopes}
          description="Separated by spaces"
          required
          control={control}
          validate={(value) => {
            const problem = scopesProblem(scopesIn(value))
            return problem && `Scopes: ${problem}`
          }}
        />
        <TextField
          name="userClaim"
          label={fields.userClaim}
          description={
            <>
              Identifies the user. With <Mono>sub</Mono>, nobody can take over another user by a
              changed name; SCIM usually needs <Mono>email</Mono>.
            </>
          }
          required
          control={control}
          ignorePasswordManagers
        />
        <TextField
          name="displayNameClaim"
          label={fields.displayNameClaim}
          description="Shown in the console"
          control={control}
          ignorePasswordManagers
        />
        <TextField
          name="groupsClaim"
          label={fields.groupsClaim}
          description="Claim that lists the groups of the user. Empty: groups are not synced."
          control={control}
          ignorePasswordManagers
        />
        <CheckboxField
          name="commasInGroups"
          control={control}
          description="If not, commas separate groups in a text claim. Entries of a JSON list are always whole names."
        >
          {fields.commasInGroups.label}
        </CheckboxField>
      </FormSection>
    </>
  )
}

type CreateValues = Settings & { name: string; issuer: string; clientSecret: string }

const callbackOf = (silo: string, name: string): string =>
  window.location.origin + oidcCallbackPath(silo, name || 'idp-name')

export function OidcProviderCreate() {
  const silo = useSiloParam()
  const navigate = useNavigate()
  const form = useForm<CreateValues>({
    defaultValues: {
      name: '',
      issuer: '',
      clientSecret: '',
      ...settingsOf({
        ...oidcDefaults,
        scopes: [...oidcDefaults.scopes],
        description: '',
        clientId: '',
        redirectUri: callbackOf(silo, ''),
        signOutAtProvider: false,
        commasInGroups: false,
      }),
    },
  })
  const { control, getValues, setValue } = form
  const toList = () => void navigate({ to: '/system/silos/$silo/idps', params: { silo } })
  const create = useApiForm(
    'oidcIdentityProviderCreate',
    ({ name, issuer, clientSecret, ...values }: CreateValues) => ({
      query: { silo },
      body: {
        name,
        issuer: issuerOf(issuer),
        clientSecret: clientSecret || null,
        ...bodyOf(values),
      },
    }),
    {
      onSuccess: (provider) => {
        const path = { provider: provider.name }
        seedAnswer('oidcIdentityProviderView', { path, query: { silo } }, provider)
        doneToast('OpenID Connect provider', provider.name, 'created')
        toList()
      },
    },
  )
  const name = useWatch({ control, name: 'name' })
  // Follows the name until it is edited itself.
  const named = useRef('')
  useEffect(() => {
    if (getValues('redirectUri') === callbackOf(silo, named.current)) {
      setValue('redirectUri', callbackOf(silo, name))
    }
    named.current = name
  }, [getValues, setValue, silo, name])
  const { code, ...sending } = create
  const issuer = useWatch({ control, name: 'issuer' })
  const proposed = create.submitError && proposedIssuer(create.submitError.message)
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource={noun}
      submitLabel="Create provider"
      {...sending}
      code={(values) => code({ ...values, clientSecret: values.clientSecret && SECRET })}
      onDismiss={toList}
    >
      <NameField
        control={control}
        description={
          <>
            A part of the address of the login page:{' '}
            <Mono className="wrap-anywhere">{oidcLoginPath(silo, name || 'idp-name')}</Mono>
          </>
        }
      />
      <DescriptionField control={control} />
      <TextField
        name="issuer"
        label="Issuer"
        description="URL of the provider, which publishes its configuration there"
        placeholder="https://"
        required
        control={control}
        validate={(value) => {
          if (!value) return 'Issuer is required'
          const problem = issuerProblem(issuerOf(value))
          return problem && `Issuer ${problem}`
        }}
      />
      {proposed && proposed !== issuer && (
        <p className="flex flex-wrap items-center gap-2 text-xs text-secondary">
          <span className="min-w-0 wrap-anywhere">The provider calls itself {proposed}</span>
          <Button
            size="sm"
            variant="secondary"
            onClick={() =>
              setValue('issuer', proposed, { shouldDirty: true, shouldValidate: true })
            }
          >
            Use this issuer
          </Button>
        </p>
      )}
      <SettingsFields silo={silo} provider={name} keepsSecret={false} />
    </SideModalForm>
  )
}

export function OidcProviderEdit() {
  const navigate = useNavigate()
  const { silo, provider: name } = useParams({
    from: '/shell/system/silos-crumb/system/silos/$silo/tabs/idps/idps/oidc/$provider',
  })
  const toList = () => void navigate({ to: '/system/silos/$silo/idps', params: { silo } })
  const { opened, form, code, ...update } = useEditForm('oidcIdentityProviderUpdate', {
    resource: noun,
    read: oidcProviderQuery(silo, name),
    valuesOf: (provider: OidcIdentityProvider) => settingsOf(provider),
    fields,
    entries: { clientSecret: '' },
    argsOf: ({ clientSecret, ...values }, provider) => ({
      path: { provider: provider.name },
      query: { silo },
      body: { ...bodyOf(values), ...(clientSecret && { clientSecret }) },
    }),
    onSuccess: (updated) => {
      const path = { provider: updated.name }
      seedAnswer('oidcIdentityProviderView', { path, query: { silo } }, updated)
      doneToast('OpenID Connect provider', updated.name, 'updated')
      toList()
    },
  })
  const address = window.location.origin + oidcLoginPath(silo, opened.name)
  return (
    <SideModalForm
      form={form}
      formType="edit"
      title={opened.name}
      star={<ResourceButtons kind="oidc_identity_provider" thing={opened} />}
      {...update}
      code={(values) => code({ ...values, clientSecret: values.clientSecret && SECRET })}
      onDismiss={toList}
    >
      <PropertiesTable className="shrink-0">
        <PropertiesTable.IdRow id={opened.id} />
        <PropertiesTable.Row label="Issuer">
          <span className="wrap-anywhere">{opened.issuer}</span>
        </PropertiesTable.Row>
        <PropertiesTable.DateRow date={opened.timeCreated} label="Created" />
        <PropertiesTable.DateRow date={opened.timeModified} label="Updated" />
        <PropertiesTable.Row label="Login page">
          <span className="flex min-w-0 items-center gap-1">
            <span className="min-w-0 wrap-anywhere">{address}</span>
            <CopyButton text={address} />
          </span>
        </PropertiesTable.Row>
      </PropertiesTable>
      <LastSignIn provider={opened.id} />
      <AdoptUsers provider={opened} protocol="oidc" />
      <DescriptionField control={form.control} />
      <SettingsFields silo={silo} provider={opened.name} keepsSecret />
    </SideModalForm>
  )
}
