import type { Disk, Image } from '@steading/api/client'
import { GiB, nameFieldProblem, suggestedDiskSize } from '@steading/api/rules'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { imageOption } from '../disks/disk-sources.tsx'
import { DISTRIBUTED_MAX } from '../disks/disk-values.ts'
import { Banner } from '../ui/banner.tsx'
import { CheckboxField } from '../ui/form/choice-fields.tsx'
import { ComboboxField } from '../ui/form/combobox-field.tsx'
import { NumberField } from '../ui/form/number-field.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { diskOption } from './disk-option.tsx'
import type { Offer } from './queries.ts'
import { FormTabs, NothingHere, Section } from './section.tsx'
import { bootImageId, queuedName, type BootTab, type InstanceValues } from './values.ts'

const tabs: { id: BootTab; label: string }[] = [
  { id: 'silo', label: 'Silo images' },
  { id: 'project', label: 'Project images' },
  { id: 'disk', label: 'Existing disks' },
]

type Props = { form: UseFormReturn<InstanceValues>; offer: Offer; disabled: boolean }

export function BootDiskSection({ form, offer, disabled }: Props) {
  const { control, setValue, getValues } = form
  const { siloImages, projectImages, freeDisks } = offer
  const [tab, queued] = useWatch({ control, name: ['boot', 'disks'] })
  const images = tab === 'silo' ? siloImages : projectImages
  const attachable = freeDisks.filter(
    ({ name }) => !queued.some((each) => each.action === 'attach' && each.name === name),
  )

  /** A larger image raises the size; a smaller one never lowers it. */
  const fitSize = (image: Image | undefined, exactly = getValues('bootReadOnly')) => {
    if (!image) return
    const size = exactly
      ? Math.ceil(image.size / GiB)
      : Math.max(getValues('bootSize') || 0, suggestedDiskSize(image.size))
    setValue('bootSize', size, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }
  const select = (next: BootTab) => {
    setValue('boot', next, { shouldDirty: true })
    if (next === 'disk') return
    const all = next === 'silo' ? siloImages : projectImages
    fitSize(all.find(({ id }) => id === bootImageId(getValues())))
  }
  const nothing = siloImages.length + projectImages.length + freeDisks.length === 0
  return (
    <Section title="Boot disk">
      {nothing && (
        <Banner variant="notice">
          Images or disks are required to create or attach a boot disk.
        </Banner>
      )}
      <FormTabs label="Boot disk" tabs={tabs} selected={tab} onSelect={select}>
        {tab === 'disk' ? (
          <ExistingDisk form={form} disks={attachable} disabled={disabled} />
        ) : images.length === 0 ? (
          tab === 'silo' ? (
            <NothingHere
              title="No silo images found"
              body="Promote a project image to see it here"
            />
          ) : (
            <NothingHere title="No project images found" body="Upload an image to see it here" />
          )
        ) : (
          <FromImage
            key={tab}
            form={form}
            field={tab === 'silo' ? 'siloImage' : 'projectImage'}
            images={images}
            takenNames={offer.disks.map(({ name }) => name)}
            disabled={disabled}
            onFit={fitSize}
          />
        )}
      </FormTabs>
    </Section>
  )
}

type FromImageProps = Pick<Props, 'form' | 'disabled'> & {
  field: 'siloImage' | 'projectImage'
  images: Image[]
  takenNames: string[]
  onFit: (image: Image | undefined, exactly?: boolean) => void
}

function FromImage({ form, field, images, takenNames, disabled, onFit }: FromImageProps) {
  const { control, getValues } = form
  const [chosen, readOnly] = useWatch({ control, name: [field, 'bootReadOnly'] })
  const image = images.find(({ id }) => id === chosen)
  const min = image ? Math.ceil(image.size / GiB) : 1
  const sizeIsFixed = readOnly && image !== undefined
  const nameProblem = (name: string) => {
    if (!name) return undefined
    const made = getValues('disks').filter(({ action }) => action === 'create')
    if (takenNames.includes(name) || made.some((each) => queuedName(each) === name)) {
      return 'Name is already in use'
    }
    return nameFieldProblem(name, 'Disk name')
  }
  return (
    <>
      <ComboboxField
        name={field}
        label="Image"
        placeholder={field === 'siloImage' ? 'Select a silo image' : 'Select a project image'}
        control={control}
        disabled={disabled}
        options={images.map((each) => imageOption(each))}
        onChange={(id) => onFit(images.find((each) => each.id === id))}
      />
      <NumberField
        name="bootSize"
        label="Disk size"
        units="GiB"
        control={control}
        min={min}
        max={DISTRIBUTED_MAX}
        disabled={disabled || sizeIsFixed}
        description={sizeIsFixed && 'A read-only disk is as large as its image'}
        validate={(size) =>
          size < min ? `Must be as large as selected image (min. ${min} GiB)` : undefined
        }
      />
      <TextField
        name="bootName"
        label="Disk name"
        description="A name will be generated if left blank"
        control={control}
        disabled={disabled}
        ignorePasswordManagers
        validate={nameProblem}
        transform={(value) => value.toLowerCase().replaceAll(/[\s_]/g, '-')}
      />
      <CheckboxField
        name="bootReadOnly"
        control={control}
        disabled={disabled}
        onChange={(on) => onFit(image, on)}
      >
        Make disk read-only
      </CheckboxField>
    </>
  )
}

function ExistingDisk({ form, disks, disabled }: Omit<Props, 'offer'> & { disks: Disk[] }) {
  if (disks.length === 0) {
    return (
      <NothingHere
        title="No detached disks found"
        body="Only detached disks can be used as a boot disk"
      />
    )
  }
  return (
    <ComboboxField
      name="bootDisk"
      label="Disk"
      placeholder="Select a disk"
      control={form.control}
      disabled={disabled}
      options={disks.map(diskOption)}
    />
  )
}
