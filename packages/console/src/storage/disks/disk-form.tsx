import type { DiskCreate } from '@steading/api/client'
import { blockSizes, GiB, fittingDiskSize } from '@steading/api/rules'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useEnginePart } from '../../data/capabilities.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { CheckboxField, RadioField } from '../../ui/form/choice-fields.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { SideModalForm, type SubmitError } from '../../ui/form/side-modal-form.tsx'
import { SiloImagesRefused } from '../image-policy/silo-images-refused.tsx'
import { PoolField } from '../storage-pools/pool-field.tsx'
import { imageOption } from '../images/image-option.tsx'
import { snapshotOption, useDiskSources } from './disk-options.tsx'
import { CdHint } from './disk-state.tsx'
import {
  DEFAULT_BLOCK_SIZE,
  defaultDiskValues,
  DISTRIBUTED_MAX,
  toDiskCreate,
} from './disk-values.ts'

const REPLICATED =
  'A distributed disk is replicated across sleds and survives the failure of one. A local disk is fast scratch space on a single sled.'
const POOLED =
  'Disks of both types are files in a storage pool, and as safe as its file system. A local disk starts blank, and cannot have snapshots.'

type DiskFormProps = {
  project: string
  /** @param pool name of the chosen storage pool; empty for the usual one */
  onSubmit: (disk: DiskCreate, pool: string) => void
  onDismiss: () => void
  loading?: boolean
  submitError?: SubmitError | null
  /** Renders the creation of the disk as code. */
  code?: (disk: DiskCreate, pool: string) => ReactNode
  /** Taken names, besides those refused by the control plane. */
  takenNames?: readonly string[]
}

/**
 * The panel "Create disk". Only returns the values: instance create keeps them for later, and all
 * other pages use `DiskCreateModal`.
 */
export function DiskForm(props: DiskFormProps) {
  const {
    project,
    onSubmit,
    onDismiss,
    loading = false,
    submitError = null,
    code,
    takenNames,
  } = props
  const form = useForm({ defaultValues: defaultDiskValues })
  const { control, setValue, getValues } = form
  const [diskType, source, imageId, snapshotId, readOnly] = useWatch({
    control,
    name: ['diskType', 'source', 'imageId', 'snapshotId', 'readOnly'],
  })
  const { images, readingImages, snapshots, readingSnapshots, diskNames } = useDiskSources(project)
  const hasReplicas = useEnginePart('replicas')
  const local = diskType === 'local'
  const chosen =
    source === 'image'
      ? images.find(({ id }) => id === imageId)
      : source === 'snapshot'
        ? snapshots.find(({ id }) => id === snapshotId)
        : undefined
  const sourceSize = local ? undefined : chosen?.size
  // A read-only disk contains exactly its source, so its size is fixed.
  const sizeIsFixed = readOnly && sourceSize !== undefined

  const fitSize = (bytes: number | undefined, exactly = getValues('readOnly')) => {
    if (bytes === undefined) return
    const size = exactly ? Math.ceil(bytes / GiB) : fittingDiskSize(getValues('size'), bytes)
    setValue('size', size, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }
  const sizeProblem = (size: number) => {
    const min = Math.ceil((sourceSize ?? 0) / GiB)
    if (size < min) return `Must be as large as selected ${source} (min. ${min} GiB)`
    if (size < 1) return 'Must be at least 1 GiB'
    return !local && size > DISTRIBUTED_MAX ? `Can be at most ${DISTRIBUTED_MAX} GiB` : undefined
  }

  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="disk"
      onSubmit={(values) => onSubmit(toDiskCreate(values), values.pool)}
      onDismiss={onDismiss}
      loading={loading}
      submitError={submitError}
      code={code && ((values) => code(toDiskCreate(values), values.pool))}
    >
      <NameField
        control={control}
        validate={(name) => (takenNames?.includes(name) ? 'Name is already in use' : undefined)}
      />
      <DescriptionField control={control} />
      <NumberField
        name="size"
        label="Size"
        units="GiB"
        control={control}
        min={1}
        max={local ? undefined : DISTRIBUTED_MAX}
        disabled={sizeIsFixed}
        description={sizeIsFixed && `A read-only disk is as large as its ${source}`}
        validate={sizeProblem}
      />
      <RadioField
        name="diskType"
        label="Disk type"
        tip={hasReplicas ? REPLICATED : POOLED}
        control={control}
        items={[
          { value: 'distributed', label: 'Distributed' },
          { value: 'local', label: 'Local' },
        ]}
        onChange={(type) => {
          if (type === 'local') return
          setValue('blockSize', DEFAULT_BLOCK_SIZE)
          // Distributed disks have a lower maximum size than local ones.
          if (getValues('size') > DISTRIBUTED_MAX) setValue('size', DISTRIBUTED_MAX)
        }}
      />
      {!local && (
        <RadioField
          name="source"
          label="Source"
          control={control}
          items={[
            { value: 'blank', label: 'Blank' },
            { value: 'snapshot', label: 'Snapshot' },
            { value: 'image', label: 'Image' },
          ]}
          onChange={(next) => {
            if (next === 'blank') setValue('blockSize', DEFAULT_BLOCK_SIZE)
          }}
        />
      )}
      {!local && source === 'blank' && (
        <RadioField
          name="blockSize"
          label="Block size"
          units="Bytes"
          control={control}
          items={blockSizes.map((size) => ({ value: String(size), label: String(size) }))}
        />
      )}
      {!local && source === 'snapshot' && (
        <ListboxField
          name="snapshotId"
          label="Source snapshot"
          placeholder="Select a snapshot"
          control={control}
          {...readingSnapshots}
          options={snapshots.map((each) => snapshotOption(each, diskNames.get(each.diskId)))}
          onChange={(id) => fitSize(snapshots.find((each) => each.id === id)?.size)}
        />
      )}
      {!local && source === 'image' && (
        <ListboxField
          name="imageId"
          label="Source image"
          placeholder="Select an image"
          control={control}
          {...readingImages}
          description={readingImages.refused && <SiloImagesRefused />}
          options={images.map((image) => imageOption(image, { marked: true }))}
          onChange={(id) => fitSize(images.find((each) => each.id === id)?.size)}
        />
      )}
      {!local && source !== 'blank' && (
        <CheckboxField name="readOnly" control={control} onChange={(on) => fitSize(sourceSize, on)}>
          Make disk read-only
        </CheckboxField>
      )}
      <PoolField
        name="pool"
        control={control}
        project={project}
        usual={source === 'blank' || local ? 'Default' : `That of the ${source}`}
      />
      {!local && source === 'image' && <CdHint image={images.find(({ id }) => id === imageId)} />}
    </SideModalForm>
  )
}
