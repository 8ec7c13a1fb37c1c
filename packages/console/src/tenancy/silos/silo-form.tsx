import type {
  CertificateCreate,
  FleetRole,
  SiloCreate,
  SiloIdentityMode,
} from '@steading/api/client'
import { GiB, groupNameProblem } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { CertificatesField } from '../../identity/certificates/certificates-field.tsx'
import { invalidate, seed } from '../../data/api.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { Banner } from '../../ui/banner.tsx'
import { CheckboxField, RadioField } from '../../ui/form/choice-fields.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Strong } from '../../ui/text.tsx'
import { formatNumber } from '../../ui/number.ts'
import { addToast } from '../../ui/toasts.tsx'
import { fleetShare, fleetTotals } from './fleet-share.ts'
import { useFleetCapacity, useLateQuotas } from './prefilled-quotas.ts'

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
}
type Values = typeof initial

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

export function SiloCreateForm() {
  const navigate = useNavigate()
  const fleet = useFleetCapacity()
  const form = useForm({ defaultValues: { ...initial, ...(fleet && fleetShare(fleet)) } })
  useLateQuotas(form, fleet)
  const { control } = form
  const create = useApiForm('siloCreate', (values: Values) => ({ body: bodyOf(values) }), {
    onSuccess: (silo) => {
      void invalidate('siloUtilizationList')
      seed('siloView', { path: { silo: silo.name } }, silo)
      addToast({
        content: (
          <>
            Silo <Strong>{silo.name}</Strong> created
          </>
        ),
      })
      void navigate({ to: '/system/silos' })
    },
  })
  const [silo, identityMode] = useWatch({ control, name: ['name', 'identityMode'] })
  const isLocal = identityMode === 'local_only'
  const total = fleet && fleetTotals(fleet)
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="silo"
      {...create}
      onDismiss={() => void navigate({ to: '/system/silos' })}
    >
      <Banner>
        A silo is a tenant of the cloud. Its users see nothing of other silos, and share only the
        hardware with them.
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
      <NumberField
        name="cpus"
        label="CPU quota"
        units="vCPUs"
        description={total && `The fleet has ${formatNumber(total.cpus)} vCPUs.`}
        control={control}
      />
      <NumberField
        name="memory"
        label="Memory quota"
        units="GiB"
        description={total && `The fleet has ${formatNumber(total.memory)} GiB.`}
        control={control}
      />
      <NumberField
        name="storage"
        label="Storage quota"
        units="GiB"
        description={total && `The fleet has ${formatNumber(total.storage)} GiB.`}
        control={control}
      />
      <RadioField
        name="identityMode"
        label="Identity mode"
        control={control}
        items={identityModes}
        column
        onChange={(mode) => mode === 'local_only' && form.setValue('adminGroupName', '')}
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
    </SideModalForm>
  )
}
