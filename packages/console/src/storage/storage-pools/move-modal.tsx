import type { Disk } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { whenReread } from '../../data/api.ts'
import { Banner } from '../../ui/banner.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { poolOption, usePoolChoices } from './choices.ts'
import { diskStorageQuery } from './queries.ts'

/** Moves a disk to another storage pool. */
export default function MoveModal(props: { project: string; disk: Disk; onDismiss: () => void }) {
  const { project, disk, onDismiss } = props
  const present = useQuery(diskStorageQuery(project, disk.name)).data?.pool
  const choices = usePoolChoices(project).filter(({ id }) => id !== present?.id)
  const form = useForm({
    values: { pool: choices[0]?.name ?? '' },
    resetOptions: { keepDirtyValues: true },
  })
  const argsOf = ({ pool }: { pool: string }) => ({
    path: { disk: disk.name },
    query: { project },
    body: { pool },
  })
  const move = useApiForm('diskMove', argsOf, {
    onSuccess: async (storage) => {
      await whenReread()
      addToast({
        content: storage.move ? (
          <>
            Disk <b>{disk.name}</b> is being moved to <b>{storage.move.to.name}</b>
          </>
        ) : (
          <>
            Disk <b>{disk.name}</b> is in <b>{storage.pool.name}</b>
          </>
        ),
      })
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title={`Move ${disk.name} to another storage pool`}
      submitLabel="Move"
      {...move}
      onDismiss={onDismiss}
    >
      <Banner>
        The disk is in {present ? present.name : '…'}. Until it is copied, it can be neither
        attached, detached nor deleted. An instance that runs goes on; one that is stopped cannot be
        started. Snapshots of the disk stay where they are.
      </Banner>
      <ListboxField
        name="pool"
        label="Storage pool"
        placeholder="Select a storage pool"
        control={form.control}
        options={choices.map(poolOption)}
      />
    </ModalForm>
  )
}
