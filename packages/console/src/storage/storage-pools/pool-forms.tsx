import type { Args } from '@steading/api/client'
import {
  asSentence,
  isMountedPool,
  type MountedPoolType,
  mountedPoolTypes,
  poolMountProblem,
  poolMountRoots,
  storagePoolPathProblem,
  storagePoolSourceProblem,
} from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { useEngine } from '../../data/capabilities.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { namedFields, namedValues, useEditForm } from '../../forms/use-edit-form.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { addToast, doneToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { poolTypeLabel } from './pool-state.tsx'
import { poolQuery, usePoolParam } from './queries.ts'

type PoolType = 'directory' | MountedPoolType
type PoolValues = {
  name: string
  description: string
  type: PoolType
  source: string
  path: string
}

const mountedIntro =
  'The hosts mount this empty file system, now and whenever they start. On a server that is not a host, mount it yourself at the same path.'
/** The explanation and the field of the source, by the type of a pool. */
const forms = {
  directory: {
    intro:
      'A storage pool is an empty directory on a file system of its own, such as the mount point of CephFS. Mount it at the same path on the servers and on all hosts.',
  },
  nfs: {
    intro: mountedIntro,
    source: {
      label: 'NFS export',
      placeholder: 'nas.example:/export/fast',
      description: 'Host and path of the export, which has version 4 of NFS',
    },
  },
  glusterfs: {
    intro: mountedIntro,
    source: {
      label: 'GlusterFS volume',
      placeholder: 'nas.example:/fast',
      description: 'Host and name of the volume. The hosts have the client of GlusterFS',
    },
  },
} satisfies Record<PoolType, { intro: string; source?: unknown }>

const typeItems = (['directory', ...mountedPoolTypes] as const).map((value) => ({
  value,
  label: poolTypeLabel[value],
}))

/** Empty fields of a type that has none are not sent. */
const argsOf = ({ source, path, ...values }: PoolValues): Args<'storagePoolCreate'> => ({
  body: {
    ...values,
    path: path.trim(),
    ...(isMountedPool(values.type) && { source: source.trim() }),
  },
})

export function PoolCreateForm() {
  const navigate = useNavigate()
  const isSimulated = useEngine()?.isSimulated === true
  const form = useForm<PoolValues>({
    defaultValues: { name: '', description: '', type: 'directory', source: '', path: '' },
  })
  const type = useWatch({ control: form.control, name: 'type' })
  const close = () => void navigate({ to: '/system/inventory/storage-pools' })
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
  const { intro, ...fields } = forms[type]
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
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <RadioField name="type" label="Type" control={form.control} items={typeItems} />
      <p className="text-secondary">{intro}</p>
      {'source' in fields && (
        <TextField
          name="source"
          control={form.control}
          required
          mono
          {...fields.source}
          validate={(text) => asSentence(storagePoolSourceProblem(text.trim()))}
        />
      )}
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
            : isMountedPool(type)
              ? `An absolute path in ${poolMountRoots.join(' or ')}`
              : 'An absolute path'
        }
        validate={(text, values) => {
          const problem = isMountedPool(values.type) ? poolMountProblem : storagePoolPathProblem
          return asSentence(problem(text.trim()))
        }}
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
