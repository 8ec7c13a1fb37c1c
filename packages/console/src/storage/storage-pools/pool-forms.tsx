import type { Args } from '@steading/api/client'
import { asSentence, storagePoolPathProblem } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useEngine } from '../../data/capabilities.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { namedFields, namedValues, useEditForm } from '../../forms/use-edit-form.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { addToast, doneToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { poolQuery, usePoolParam } from './queries.ts'

export function PoolCreateForm() {
  const navigate = useNavigate()
  const isSimulated = useEngine()?.isSimulated === true
  const form = useForm({ defaultValues: { name: '', description: '', path: '' } })
  const close = () => void navigate({ to: '/system/inventory/storage-pools' })
  const argsOf = ({
    name,
    description,
    path,
  }: {
    name: string
    description: string
    path: string
  }): Args<'storagePoolCreate'> => ({
    body: { name, description, type: 'directory', path: path.trim() },
  })
  const create = useApiForm('storagePoolCreate', argsOf, {
    onSuccess: ({ name, problem }) => {
      if (problem === null) doneToast('Storage pool', name, 'added')
      else {
        addToast({
          variant: 'error',
          content: (
            <>
              Storage pool <b>{name}</b> cannot be used yet: {problem}
            </>
          ),
        })
      }
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="storage pool"
      title="Add storage pool"
      submitLabel="Add storage pool"
      {...create}
      onDismiss={close}
    >
      <p className="text-secondary">
        A storage pool is an empty directory on a file system of its own, such as the mount point of
        NFS, CephFS or GlusterFS. Mount it at the same path on the servers and on all hosts.
      </p>
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <TextField
        name="path"
        label="Directory"
        control={form.control}
        required
        mono
        placeholder="/mnt/fast"
        description={
          isSimulated
            ? 'The directory is simulated: one such as /mnt/sim-fast is there'
            : 'An absolute path'
        }
        validate={(text) => asSentence(storagePoolPathProblem(text.trim()))}
      />
    </SideModalForm>
  )
}

export function PoolEditForm() {
  const navigate = useNavigate()
  const name = usePoolParam()
  const close = (pool = name) =>
    void navigate({ to: '/system/inventory/storage-pools/$pool', params: { pool } })
  const {
    opened: pool,
    form,
    ...update
  } = useEditForm('storagePoolUpdate', {
    resource: 'storage pool',
    read: poolQuery(name),
    valuesOf: namedValues,
    fields: namedFields,
    argsOf: (body) => ({ path: { pool: name }, body }),
    onSuccess: (updated) => {
      doneToast('Storage pool', updated.name, 'updated')
      close(updated.name)
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      star={<ResourceButtons kind="storage_pool" thing={pool} />}
      {...update}
      onDismiss={() => close()}
    >
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
    </SideModalForm>
  )
}
