import { useNavigate, useParams } from '@tanstack/react-router'
import { IdCard, Download } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { usePrefetchedQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { ReadOnlySideModal } from '../../ui/side-modal.tsx'
import { AdoptUsers } from './adopt-users.tsx'
import { LastSignIn } from './last-sign-in.tsx'
import { SignInSettings } from './sign-in-settings.tsx'
import { FormSection } from '../../ui/form/field.tsx'
import { loginPath, identityProviderQuery } from './queries.ts'
import { useState } from 'react'
import { download } from '../../page/download.ts'
import { Button } from '../../ui/button.tsx'

type Props = { provider: { id: string; name: string } }

/** Saves the silo's metadata for the identity provider. */
function DownloadMetadata({ provider: { id, name } }: Props) {
  const [loading, setLoading] = useState(false)
  const save = async () => {
    setLoading(true)
    const path = `/x/v1/identity-providers/saml/${id}/metadata`
    await download(path, `${name}-metadata.xml`, 'Could not download the metadata')
    setLoading(false)
  }
  return (
    <div>
      <Button
        icon={<Download size={16} strokeWidth={1.5} aria-hidden />}
        loading={loading}
        onClick={() => void save()}
      >
        Download metadata
      </Button>
      <p className="mt-1.5 text-xs text-secondary">Service provider metadata of this silo</p>
    </div>
  )
}

/** Providers cannot be edited, so all fields are disabled. */
export function IdentityProviderView() {
  const navigate = useNavigate()
  const { silo, provider: name } = useParams({
    from: '/shell/system/silos-crumb/system/silos/$silo/tabs/idps/idps/saml/$provider',
  })
  const { data: provider } = usePrefetchedQuery(identityProviderQuery(silo, name))
  const { control } = useForm({ values: provider })
  const hasMetadata = useCapability('samlMetadata')
  const hasSettings = useCapability('samlSignInSettings')
  const address = window.location.origin + loginPath(silo, provider.name)
  return (
    <ReadOnlySideModal
      title="Identity provider"
      star={<ResourceButtons kind="saml_identity_provider" thing={provider} />}
      subtitle={
        <>
          <IdCard size={16} strokeWidth={1.5} aria-hidden /> {provider.name}
        </>
      }
      onDismiss={() => void navigate({ to: '/system/silos/$silo/idps', params: { silo } })}
    >
      {/* The panel scrolls, so the table must not shrink. */}
      <PropertiesTable className="shrink-0">
        <PropertiesTable.IdRow id={provider.id} />
        <PropertiesTable.DateRow date={provider.timeCreated} label="Created" />
        <PropertiesTable.DateRow date={provider.timeModified} label="Updated" />
        <PropertiesTable.Row label="Login page">
          <span className="flex min-w-0 items-center gap-1">
            <span className="min-w-0 wrap-anywhere">{address}</span>
            <CopyButton text={address} />
          </span>
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Requests">
          {provider.publicCert ? 'Signed' : 'Not signed'}
        </PropertiesTable.Row>
        {hasSettings && <SignInSettings silo={silo} provider={provider.name} />}
      </PropertiesTable>
      <LastSignIn provider={provider.id} />
      <AdoptUsers provider={provider} protocol="saml" />
      {hasMetadata && <DownloadMetadata provider={provider} />}
      <NameField control={control} disabled />
      <DescriptionField control={control} disabled />
      <TextField
        name="technicalContactEmail"
        label="Technical contact email"
        required
        disabled
        control={control}
        suffix={<CopyButton text={provider.technicalContactEmail} />}
      />
      <FormSection title="Service provider">
        <TextField
          name="spClientId"
          label="Service provider client ID"
          required
          disabled
          control={control}
          suffix={<CopyButton text={provider.spClientId} />}
        />
        <TextField
          name="acsUrl"
          label="ACS URL"
          required
          disabled
          control={control}
          suffix={<CopyButton text={provider.acsUrl} />}
        />
        <TextField
          name="sloUrl"
          label="Single Logout (SLO) URL"
          required
          disabled
          control={control}
        />
      </FormSection>
      <FormSection title="Identity provider">
        <TextField name="idpEntityId" label="Entity ID" required disabled control={control} />
        <TextField
          name="groupAttributeName"
          label="Group attribute name"
          disabled
          control={control}
        />
      </FormSection>
    </ReadOnlySideModal>
  )
}
