import type { Disk } from '@steading/api/client'
import { instanceCan } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { projectInstancesQuery } from '../../compute/instances/queries.ts'
import { whenReread } from '../../data/api.ts'
import { readingOf } from '../../data/reads.ts'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'

type Props = { project: string; disk: Disk; onDismiss: () => void }

/** Dialog to choose the instance that a disk is attached to. */
export default function AttachToInstanceModal({ project, disk, onDismiss }: Props) {
  const form = useForm({ defaultValues: { instance: '' } })
  const instances = useQuery(projectInstancesQuery(project))
  const argsOf = ({ instance }: { instance: string }) => ({
    path: { instance },
    query: { project },
    body: { disk: disk.name },
  })
  const attach = useApiForm('instanceDiskAttach', argsOf, {
    onSuccess: async ({ name }) => {
      await whenReread()
      doneToast('Disk', name, 'attached')
      onDismiss()
    },
  })
  const possible = instances.data?.items.filter(({ runState }) =>
    instanceCan('attachDisk', runState),
  )
  return (
    <ModalForm
      form={form}
      title="Attach to instance"
      submitLabel="Attach disk"
      {...attach}
      onDismiss={onDismiss}
    >
      <ComboboxField
        name="instance"
        label="Instance"
        placeholder="Select an instance"
        description="Only stopped instances are listed"
        control={form.control}
        {...readingOf(instances)}
        options={(possible ?? []).map(({ name }) => ({ value: name, label: name }))}
        empty={instances.data?.items.length ? 'No instance is stopped' : 'No instances found'}
      />
    </ModalForm>
  )
}
