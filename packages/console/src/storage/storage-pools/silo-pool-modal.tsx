import type { Silo } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { ALL_ITEMS, apiQuery, whenReread } from '../../data/api.ts'
import { readingOf } from '../../data/reads.ts'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'

/** Stands for the default of the fleet, as names cannot have this form. */
const OF_FLEET = '*'

/** Chooses the storage pool of the new disks of a silo. */
export default function SiloPoolModal({ silo, onDismiss }: { silo: Silo; onDismiss: () => void }) {
  const path = { silo: silo.name }
  const present = useQuery(apiQuery('siloStoragePoolView', { path }))
  const pools = useQuery(apiQuery('storagePoolSearch', { query: { limit: ALL_ITEMS } }))
  const form = useForm({
    values: { pool: present.data?.pool?.name ?? OF_FLEET },
    resetOptions: { keepDirtyValues: true },
  })
  const argsOf = ({ pool }: { pool: string }) => ({
    path,
    body: { pool: pool === OF_FLEET ? null : pool },
  })
  const update = useApiForm('siloStoragePoolUpdate', argsOf, {
    onSuccess: async ({ pool }) => {
      await whenReread()
      addToast({
        content: (
          <>
            New disks of silo <b>{silo.name}</b> are in{' '}
            {pool ? <b>{pool.name}</b> : 'the default pool of the fleet'}
          </>
        ),
      })
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title={`Default storage pool of ${silo.name}`}
      submitLabel="Save"
      {...update}
      onDismiss={onDismiss}
    >
      <p className="text-secondary">
        New disks are in this pool unless they name another one. Disks that exist stay where they
        are.
      </p>
      <ListboxField
        name="pool"
        label="Storage pool"
        control={form.control}
        {...readingOf(pools)}
        options={[
          { value: OF_FLEET, label: 'Default of the fleet' },
          ...(pools.data?.items ?? []).map(({ name }) => ({ value: name, label: name })),
        ]}
      />
    </ModalForm>
  )
}
