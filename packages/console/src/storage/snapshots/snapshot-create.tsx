import type { SnapshotCreate } from '@steading/api/client'
import { diskCannotSnapshot } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { readingOf } from '../../data/reads.ts'
import { projectDisksQuery } from '../disks/queries.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { announceSnapshot } from './use-snapshot-disk.tsx'

export function SnapshotCreateForm() {
  const navigate = useNavigate()
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const toList = () => void navigate({ to: '/projects/$project/snapshots', params: { project } })
  const form = useForm({ defaultValues: { name: '', description: '', disk: '' } })
  const disks = useQuery(projectDisksQuery(project))
  const argsOf = (body: SnapshotCreate) => ({ query: { project }, body })
  const create = useApiForm('snapshotCreate', argsOf, {
    onSuccess: (snapshot) => {
      void announceSnapshot(snapshot)
      toList()
    },
  })
  const possible = (disks.data?.items ?? []).filter(
    ({ state, diskType, readOnly }) => !diskCannotSnapshot(state.state, diskType, readOnly),
  )
  const toNewDisk = () => void navigate({ to: '/projects/$project/disks-new', params: { project } })
  return (
    <SideModalForm form={form} formType="create" resource="snapshot" {...create} onDismiss={toList}>
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <ComboboxField
        name="disk"
        label="Disk"
        placeholder="Select a disk"
        description="Only disks that support snapshots are listed"
        control={form.control}
        {...readingOf(disks)}
        options={possible.map(({ name }) => ({ value: name, label: name }))}
        empty={disks.data?.items.length ? 'No disk supports snapshots' : 'No disks found'}
        whenEmpty={{ label: 'Create disk', onAction: toNewDisk }}
      />
    </SideModalForm>
  )
}
