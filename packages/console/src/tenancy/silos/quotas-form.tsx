import type { VirtualResourceCounts } from '@steading/api/client'
import { GiB } from '@steading/api/rules'
import { apiQuery } from '../../data/api.ts'
import { type EditedRead, useEditForm } from '../../forms/use-edit-form.tsx'
import { Banner } from '../../ui/banner.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { ReasonField } from '../../forms/reason-field.tsx'

type Props = { silo: string; present: VirtualResourceCounts; onDismiss: () => void }

/** Bytes are shown in GiB; a quota that is not a whole number of GiB has decimals. */
export function QuotasForm({ silo, present, onDismiss }: Props) {
  const read: EditedRead<VirtualResourceCounts> = apiQuery('siloQuotasView', { path: { silo } })
  const argsOf = ({ cpus, memory, storage }: VirtualResourceCounts) => ({
    path: { silo },
    body: {
      cpus,
      memory: Math.round(memory * GiB),
      storage: Math.round(storage * GiB),
    },
  })
  const { form, ...update } = useEditForm('siloQuotasUpdate', {
    resource: 'quotas',
    read,
    opened: present,
    valuesOf: ({ cpus, memory, storage }: VirtualResourceCounts) => ({
      cpus,
      memory: memory / GiB,
      storage: storage / GiB,
    }),
    fields: { cpus: 'CPU', memory: 'Memory (GiB)', storage: 'Storage (GiB)' },
    argsOf,
    onSuccess: () => {
      addToast('Quotas updated')
      onDismiss()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      title="Edit quotas"
      submitLabel="Update Quotas"
      {...update}
      onDismiss={onDismiss}
    >
      <Banner>
        A quota below current use stops and deletes nothing, but nothing new can be created or
        started.
      </Banner>
      <NumberField name="cpus" label="CPU" units="vCPUs" control={form.control} />
      <NumberField name="memory" units="GiB" decimals control={form.control} />
      <NumberField name="storage" units="GiB" decimals control={form.control} />
      <ReasonField operation="siloQuotasUpdate" />
    </SideModalForm>
  )
}
