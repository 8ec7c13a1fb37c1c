import type { SamlIdentityProviderCreate } from '@steading/api/client'
import { siloHost, zoneOfConsole } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { uint8ArrayToBase64 } from 'uint8array-extras'
import { useApiMutation } from '../../data/api.ts'
import { seedAnswer } from '../../data/seed-answer.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { useSiloParam } from '../../tenancy/silos/queries.ts'
import { Banner } from '../../ui/banner.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CheckboxField, RadioField } from '../../ui/form/choice-fields.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Mono, Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { base64Of, call } from '../../workspace/as-code/steps.ts'
import { FormSection } from '../../ui/form/field.tsx'
import { loginPath } from './queries.ts'

/** Content of a PEM file: DER in Base64. */
const pem = /-----BEGIN [A-Z ]+-----([A-Za-z0-9+/=\s]+)-----END [A-Z ]+-----/

/** Content of a file in Base64. */
const readBase64 = async (file: File): Promise<string> =>
  uint8ArrayToBase64(await file.arrayBuffer())

/** A certificate or a key as DER in Base64, also read from PEM files. */
async function readDer(file: File): Promise<string> {
  const body = pem.exec(await file.text())?.[1]
  return body ? body.replaceAll(/\s/g, '') : readBase64(file)
}

const initial = {
  name: '',
  description: '',
  technicalContactEmail: '',
  spClientId: '',
  acsUrl: '',
  usesStandardAcs: true,
  sloUrl: '',
  publicCert: null as File | null,
  privateKey: null as File | null,
  idpEntityId: '',
  groupAttributeName: '',
  metadataType: 'url' as 'url' | 'xml',
  metadataUrl: '',
  metadataXml: null as File | null,
}
type Values = typeof initial
type FileName = 'publicCert' | 'privateKey' | 'metadataXml'

/** Address of the silo's console under its own host name. */
const standardAcs = (silo: string, name: string): string =>
  `https://${siloHost(silo, zoneOfConsole(window.location.hostname))}${loginPath(silo, name)}`

/** @param read returns the content of a file, or a placeholder */
function bodyOf(values: Values, read: (name: FileName) => string): SamlIdentityProviderCreate {
  const groupAttributeName = values.groupAttributeName.trim()
  return {
    name: values.name,
    description: values.description,
    technicalContactEmail: values.technicalContactEmail,
    spClientId: values.spClientId,
    acsUrl: values.acsUrl,
    sloUrl: values.sloUrl,
    idpEntityId: values.idpEntityId,
    ...(groupAttributeName && { groupAttributeName }),
    idpMetadataSource:
      values.metadataType === 'url'
        ? { type: 'url', url: values.metadataUrl }
        : { type: 'base64_encoded_xml', data: read('metadataXml') },
    ...(values.publicCert &&
      values.privateKey && {
        signingKeypair: { publicCert: read('publicCert'), privateKey: read('privateKey') },
      }),
  }
}

const readers = { publicCert: readDer, privateKey: readDer, metadataXml: readBase64 }

export function IdentityProviderCreate() {
  const silo = useSiloParam()
  const navigate = useNavigate()
  const form = useForm({ defaultValues: { ...initial, acsUrl: standardAcs(silo, '') } })
  const { control, setValue, setError } = form
  const toList = () => void navigate({ to: '/system/silos/$silo/idps', params: { silo } })
  const create = useApiMutation('samlIdentityProviderCreate', {
    onSuccess: (provider) => {
      const path = { provider: provider.name }
      seedAnswer('samlIdentityProviderView', { path, query: { silo } }, provider)
      addToast({
        content: (
          <>
            IdP <Strong>{provider.name}</Strong> created
          </>
        ),
      })
      toList()
    },
  })

  const submit = async (values: Values) => {
    const contents: Partial<Record<FileName, string>> = {}
    for (const [name, read] of Object.entries(readers) as [FileName, typeof readDer][]) {
      const file = values[name]
      if (!file) continue
      try {
        contents[name] = await read(file)
      } catch {
        return setError(name, { message: 'The file can no longer be read. Choose it again.' })
      }
    }
    create.mutate({ query: { silo }, body: bodyOf(values, (name) => contents[name]!) })
  }

  const [name, usesStandardAcs, metadataType, publicCert, privateKey, acsUrl] = useWatch({
    control,
    name: ['name', 'usesStandardAcs', 'metadataType', 'publicCert', 'privateKey', 'acsUrl'],
  })
  useEffect(() => {
    if (usesStandardAcs) setValue('acsUrl', standardAcs(silo, name))
  }, [usesStandardAcs, silo, name, setValue])
  const isPlaceholder = zoneOfConsole(window.location.hostname) === 'placeholder'
  const standardHint = isPlaceholder
    ? `This console is not at a host name of a silo, so the standard URL is not known. Browsers reach it at ${window.location.origin + loginPath(silo, name)}`
    : undefined

  return (
    <SideModalForm
      calls="samlIdentityProviderCreate"
      form={form}
      formType="create"
      resource="identity provider"
      submitLabel="Create provider"
      onSubmit={(values) => void submit(values)}
      loading={create.isPending}
      submitError={create.error}
      code={(values) => {
        const read = (file: FileName) => base64Of(values[file]?.name ?? 'the file')
        const body = bodyOf(values, read)
        return asCode(call('samlIdentityProviderCreate', { query: { silo }, body }))
      }}
      onDismiss={toList}
    >
      <NameField
        control={control}
        description={
          <>
            A part of the address of the login page:{' '}
            <Mono className="wrap-anywhere">{loginPath(silo, name)}</Mono>
          </>
        }
      />
      <DescriptionField control={control} />
      <TextField
        name="technicalContactEmail"
        label="Technical contact email"
        required
        control={control}
      />
      <FormSection title="Service provider">
        <TextField
          name="spClientId"
          label="Service provider client ID"
          description="Entity ID of this silo at the identity provider"
          required
          control={control}
        />
        <TextField
          name="acsUrl"
          label="ACS URL"
          description="Assertion consumer URL, which receives the identity provider's responses"
          required
          disabled={usesStandardAcs}
          control={control}
          suffix={<CopyButton text={acsUrl} />}
        />
        <CheckboxField name="usesStandardAcs" control={control} description={standardHint}>
          Use standard ACS URL
        </CheckboxField>
        <TextField
          name="sloUrl"
          label="Single Logout (SLO) URL"
          description="Receives logout requests of the identity provider"
          required
          control={control}
        />
      </FormSection>
      <FormSection title="Request signing">
        <FileField
          name="publicCert"
          label="Public certificate"
          description="X.509, with the key below; both are optional"
          accept=".der,.cer,.crt,.pem"
          required={false}
          control={control}
        />
        <FileField
          name="privateKey"
          label="Private key"
          description="RSA (PKCS#1). It is never shown again."
          accept=".der,.key,.pem"
          required={false}
          control={control}
        />
        {Boolean(publicCert) !== Boolean(privateKey) && (
          <Banner variant="notice">
            Requests are signed only with both files. One alone is not sent.
          </Banner>
        )}
      </FormSection>
      <FormSection title="Identity provider">
        <TextField name="idpEntityId" label="Entity ID" required control={control} />
        <TextField
          name="groupAttributeName"
          label="Group attribute name"
          description="The SAML attribute that names the groups of a user"
          control={control}
          ignorePasswordManagers
        />
        <RadioField
          name="metadataType"
          label="Metadata source"
          control={control}
          items={[
            { value: 'url', label: 'URL' },
            { value: 'xml', label: 'XML' },
          ]}
          onChange={() => {
            setValue('metadataUrl', '')
            setValue('metadataXml', null)
          }}
        />
        {metadataType === 'url' ? (
          <TextField
            name="metadataUrl"
            label="Metadata source URL"
            description="Fetched once, when the provider is created"
            required
            control={control}
          />
        ) : (
          <FileField
            name="metadataXml"
            label="Metadata source XML"
            accept=".xml"
            control={control}
          />
        )}
      </FormSection>
    </SideModalForm>
  )
}
