import type {
  CertificateCreate,
  FleetRole,
  Silo,
  SiloCreate,
  SiloIdentityMode,
  User,
} from '@steading/api/client'
import { GiB, groupNameProblem } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { call, type Step } from '../../workspace/as-code/steps.ts'
import { CertificatesField } from '../../identity/certificates/certificates-field.tsx'
import { useApiMutation } from '../../data/api.ts'
import { seedAnswer } from '../../data/seed-answer.ts'
import { useCapability } from '../../data/capabilities.ts'
import { messageOf } from '../../data/errors.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { Banner } from '../../ui/banner.tsx'
import { CheckboxField, RadioField } from '../../ui/form/choice-fields.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Strong } from '../../ui/text.tsx'
import { formatNumber } from '../../ui/number.ts'
import { addToast, errorToast } from '../../ui/toasts.tsx'
import { adminSteps, FirstAdminFields, noAdmin, useFirstAdmin, WhatIsLeft } from './first-admin.tsx'
import { fleetShare, fleetTotals } from './fleet-share.ts'
import { useFleetCapacity, useLateQuotas } from './prefilled-quotas.ts'
import { TextLink } from '../../ui/link.tsx'
import { siloHome } from './queries.ts'

const identityModes: { value: SiloIdentityMode; label: string; description: string }[] = [
  {
    value: 'saml_jit',
    label: 'SAML + JIT',
    description: 'Users sign in at an identity provider, and are created when they first do.',
  },
  {
    value: 'saml_scim',
    label: 'SAML + SCIM',
    description: 'Users sign in at an identity provider, which also creates and removes them.',
  },
  {
    value: 'local_only',
    label: 'Local only',
    description: 'Users have passwords here, and are created by administrators.',
  },
]

/** Over plain HTTP, by its address or behind a proxy, silos need no certificates. */
const servedOverTls = window.location.protocol === 'https:'

const initial = {
  name: '',
  description: '',
  discoverable: true,
  cpus: 0,
  memory: 0,
  storage: 0,
  identityMode: 'saml_jit' as SiloIdentityMode,
  adminGroupName: '',
  adminsAreFleetAdmins: false,
  viewersAreFleetViewers: false,
  tlsCertificates: [] as CertificateCreate[],
  ...noAdmin,
}
type Values = typeof initial

const quotaFields = [
  { name: 'cpus', label: 'CPU quota', units: 'vCPUs' },
  { name: 'memory', label: 'Memory quota', units: 'GiB' },
  { name: 'storage', label: 'Storage quota', units: 'GiB' },
] as const

const hasAdmin = ({ identityMode, adminName }: Values) =>
  identityMode === 'local_only' && adminName !== ''

function bodyOf(values: Values): SiloCreate {
  const { name, description, discoverable, identityMode, cpus, memory, storage } = values
  const adminGroupName = values.adminGroupName.trim()
  const mappedFleetRoles: Record<string, FleetRole[]> = {
    ...(values.adminsAreFleetAdmins && { admin: ['admin'] }),
    ...(values.viewersAreFleetViewers && { viewer: ['viewer'] }),
  }
  return {
    name,
    description,
    discoverable,
    identityMode,
    ...(adminGroupName && { adminGroupName }),
    mappedFleetRoles,
    quotas: { cpus, memory: memory * GiB, storage: storage * GiB },
    tlsCertificates: values.tlsCertificates,
  }
}

/** Resources that exist although a later call failed. */
type Made = { silo?: Silo; admin?: User }

export function SiloCreateForm() {
  const navigate = useNavigate()
  const fleet = useFleetCapacity()
  const form = useForm({ defaultValues: { ...initial, ...(fleet && fleetShare(fleet)) } })
  useLateQuotas(form, fleet)
  const { control } = form
  const [made, setMade] = useState<Made>({})
  const [sending, setSending] = useState(false)
  const create = useApiMutation('siloCreate', {
    onSuccess: (silo) => {
      seedAnswer('siloView', { path: { silo: silo.name } }, silo)
    },
  })
  const firstAdmin = useFirstAdmin(form)
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const close = (silo?: Silo) =>
    void (silo
      ? navigate({ to: siloHome, params: { silo: silo.name } })
      : navigate({ to: '/system/silos' }))

  async function submit(values: Values) {
    const done = { ...made }
    setSending(true)
    try {
      done.silo ??= await create.mutateAsync({ body: bodyOf(values) })
      // Nothing of the silo's own is unsaved any more.
      form.reset(values)
      if (hasAdmin(values)) {
        done.admin ??= await firstAdmin.create(done.silo, values)
        await firstAdmin.promote(done.silo, done.admin)
      }
    } catch (error) {
      setMade(done)
      setSending(false)
      // An open form shows the refusal, and what is left.
      if (done.silo && !isOpen.current) {
        errorToast(`Silo ${done.silo.name} was created without an administrator`, messageOf(error))
      }
      return
    }
    addToast({
      content: (
        <>
          Silo <Strong>{done.silo.name}</Strong> created
          {hasAdmin(values) && (
            <>
              , with <Strong>{values.adminName}</Strong> as its administrator
            </>
          )}
        </>
      ),
      link: (
        <TextLink to={siloHome} params={{ silo: done.silo.name }}>
          Set it up
        </TextLink>
      ),
    })
    if (isOpen.current) close()
  }

  const stepsOf = (values: Values): Step[] => [
    ...(made.silo ? [] : [call('siloCreate', { body: bodyOf(values) })]),
    ...(hasAdmin(values) ? adminSteps(values.name, values, made.admin) : []),
  ]
  const [silo, identityMode] = useWatch({ control, name: ['name', 'identityMode'] })
  const hasUsers = useCapability('users')
  const isLocal = identityMode === 'local_only'
  const total = fleet && fleetTotals(fleet)
  const failure = create.error ?? firstAdmin.error
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="silo"
      {...(made.silo && {
        subtitle: made.silo.name,
        submitLabel: made.admin ? 'Assign role' : 'Create administrator',
      })}
      onSubmit={(values) => void submit(values)}
      loading={sending}
      // The name of a user is no name of a silo.
      submitError={made.silo && failure ? { message: failure.message } : failure}
      calls={made.silo ? { operation: 'localIdpUserCreate', silo } : 'siloCreate'}
      code={(values) => asCode(...stepsOf(values))}
      onDismiss={() => close(made.silo)}
    >
      {made.silo ? (
        <WhatIsLeft silo={made.silo} admin={made.admin} />
      ) : (
        <>
          <Banner>
            A silo is a tenant of the cloud. Its users see nothing of other silos, and share only
            the hardware with them.
          </Banner>
          <NameField control={control} />
          <DescriptionField control={control} />
          <CheckboxField
            name="discoverable"
            control={control}
            description="Shown in the list of silos. Otherwise it is found by its name or ID only."
          >
            Discoverable
          </CheckboxField>
          {quotaFields.map(({ name, ...field }) => (
            <NumberField
              key={name}
              name={name}
              {...field}
              description={total && `The fleet has ${formatNumber(total[name])} ${field.units}.`}
              control={control}
            />
          ))}
          <RadioField
            name="identityMode"
            label="Identity mode"
            control={control}
            items={identityModes}
            column
            onChange={(mode) => {
              if (mode === 'local_only') form.setValue('adminGroupName', '')
            }}
          />
          {!isLocal && (
            <TextField
              name="adminGroupName"
              label="Admin group name"
              description="This group will be created, and have the role of an admin on the silo."
              control={control}
              ignorePasswordManagers
              validate={(name: string) => (name.trim() ? groupNameProblem(name.trim()) : undefined)}
            />
          )}
        </>
      )}
      {isLocal && hasUsers && !made.admin && (
        <FirstAdminFields form={form} silo={silo} required={made.silo !== undefined} />
      )}
      {!made.silo && (
        <>
          <fieldset className="flex flex-col gap-2">
            <legend className="mb-2 font-medium">Role mapping</legend>
            <CheckboxField name="adminsAreFleetAdmins" control={control}>
              Grant fleet admin role to silo admins
            </CheckboxField>
            <CheckboxField name="viewersAreFleetViewers" control={control}>
              Grant fleet viewer role to silo viewers
            </CheckboxField>
          </fieldset>
          <CertificatesField
            name="tlsCertificates"
            control={control}
            silo={silo}
            required={servedOverTls}
          />
        </>
      )}
    </SideModalForm>
  )
}
