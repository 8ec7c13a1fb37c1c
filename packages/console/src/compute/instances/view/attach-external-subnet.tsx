import type { Args, ExternalSubnet, Instance } from '@steading/api/client'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../../workspace/as-code/as-code.tsx'
import { whenReread } from '../../../data/api.ts'
import { plannedAttachment } from '../../../networking/external-subnets/queries.ts'
import { PlannedChanges } from '../../../networking/reachability/planned-changes.tsx'
import { ListboxField } from '../../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../../ui/form/modal-form.tsx'
import { doneToast } from '../../../ui/toasts.tsx'

type Props = { instance: Instance; available: ExternalSubnet[]; onDismiss: () => void }

export default function AttachExternalSubnetModal({ instance, available, onDismiss }: Props) {
  const form = useForm({ defaultValues: { externalSubnet: '' } })
  const chosen = useWatch({ control: form.control, name: 'externalSubnet' })
  const argsOf = ({
    externalSubnet,
  }: {
    externalSubnet: string
  }): Args<'externalSubnetAttach'> => ({
    path: { externalSubnet },
    body: { instance: instance.id },
  })
  const attach = useApiForm('externalSubnetAttach', argsOf, {
    onSuccess: async ({ name }) => {
      // The dialog must offer only the remaining choices when it opens again.
      await whenReread()
      doneToast('External subnet', name, 'attached')
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title="Attach external subnet"
      submitLabel="Attach"
      {...attach}
      onDismiss={onDismiss}
    >
      <ListboxField
        name="externalSubnet"
        label="External subnet"
        placeholder="Select an external subnet"
        control={form.control}
        options={available.map(({ id, name, subnet }) => ({
          value: id,
          label: `${name} (${subnet})`,
        }))}
      />
      <PlannedChanges change={chosen ? plannedAttachment(chosen, instance.id) : undefined} />
    </ModalForm>
  )
}
