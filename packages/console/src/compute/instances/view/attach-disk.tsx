import type { Disk } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../../workspace/as-code/as-code.tsx'
import { call } from '../../../workspace/as-code/steps.ts'
import { useApiMutation, whenReread } from '../../../data/api.ts'
import { readingOf } from '../../../data/reads.ts'
import { DiskCreateModal } from '../../../storage/disks/disk-create.tsx'
import { diskOption } from '../../../storage/disks/disk-options.tsx'
import { projectDisksQuery } from '../../../storage/disks/queries.ts'
import type { InstanceParams } from '../queries.ts'
import { ComboboxField } from '../../../ui/form/combobox-field.tsx'
import { ModalForm } from '../../../ui/form/modal-form.tsx'
import { doneToast, errorToast } from '../../../ui/toasts.tsx'

type Props = { params: InstanceParams; onDismiss: () => void }
type AttachProps = Props & { onCreate: () => void }

const attachArgs = ({ project, instance }: InstanceParams, disk: string) => ({
  path: { instance },
  query: { project },
  body: { disk },
})

/** Attaches a detached disk of the project. */
export function AttachDiskModal({ params, onDismiss, onCreate }: AttachProps) {
  const form = useForm({ defaultValues: { disk: '' } })
  const disks = useQuery(projectDisksQuery(params.project))
  const argsOf = ({ disk }: { disk: string }) => attachArgs(params, disk)
  const attach = useApiForm('instanceDiskAttach', argsOf, {
    onSuccess: async ({ name }) => {
      await whenReread()
      doneToast('Disk', name, 'attached')
      onDismiss()
    },
  })
  const detached = disks.data?.items.filter(({ state }) => state.state === 'detached') ?? []
  return (
    <ModalForm
      form={form}
      title="Attach disk"
      submitLabel="Attach disk"
      {...attach}
      onDismiss={onDismiss}
    >
      <ComboboxField
        name="disk"
        label="Disk name"
        placeholder="Select a disk"
        control={form.control}
        {...readingOf(disks)}
        options={detached.map(diskOption)}
        empty="No detached disks found"
        whenEmpty={{ label: 'Create disk', onAction: onCreate }}
      />
    </ModalForm>
  )
}

/** Creates a disk and attaches it. */
export function CreateAttachedDisk({ params, onDismiss }: Props) {
  const attach = useApiMutation('instanceDiskAttach', { onSuccess: whenReread })
  const onCreated = async ({ name }: Disk) => {
    onDismiss()
    try {
      await attach.mutateAsync(attachArgs(params, name))
    } catch (error) {
      errorToast(
        'Could not attach disk',
        `Disk ${name} was created, but not attached. ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
  return (
    <DiskCreateModal
      project={params.project}
      onDismiss={onDismiss}
      onCreated={(disk) => void onCreated(disk)}
      then={({ name }) => call('instanceDiskAttach', attachArgs(params, name))}
    />
  )
}
