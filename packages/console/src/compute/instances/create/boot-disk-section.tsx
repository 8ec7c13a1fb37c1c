import type { Disk } from '@steading/api/client'
import { fittingDiskSize, GiB, nameFieldProblem } from '@steading/api/rules'
import { Suspense } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { BootNotice } from '../../../storage/boot-sources/boot-notice.tsx'
import { snapshotOption, diskOption } from '../../../storage/disks/disk-options.tsx'
import { CdHint } from '../../../storage/disks/disk-state.tsx'
import { DISTRIBUTED_MAX } from '../../../storage/disks/disk-values.ts'
import { imageOption } from '../../../storage/images/image-option.tsx'
import { PoolField } from '../../../storage/storage-pools/pool-field.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { CheckboxField } from '../../../ui/form/choice-fields.tsx'
import { ComboboxField } from '../../../ui/form/combobox-field.tsx'
import type { Option } from '../../../ui/form/options.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { bootSource, partOfTab, sourcesOf } from './boot-source.ts'
import { ChoicesPart } from './choices-part.tsx'
import { isLoaded, type Offer } from './queries.ts'
import { FormTabs, NothingHere, Section } from './section.tsx'
import {
  queuedName,
  sourceFields,
  type BootTab,
  type InstanceValues,
  type SourceTab,
} from './values.ts'

const FirstImage = lazyPart(() =>
  import('../../../storage/image-downloads/first-image.tsx').then((module) => ({
    default: module.FirstImage,
  })),
)

const tabs: { id: BootTab; label: string }[] = [
  { id: 'silo', label: 'Silo images' },
  { id: 'project', label: 'Project images' },
  { id: 'snapshot', label: 'Snapshots' },
  { id: 'disk', label: 'Existing disks' },
]

const wording = {
  silo: {
    kind: 'image',
    label: 'Image',
    placeholder: 'Select a silo image',
    empty: { title: 'No silo images found', body: 'Promote a project image to see it here' },
  },
  project: {
    kind: 'image',
    label: 'Image',
    placeholder: 'Select a project image',
    empty: { title: 'No project images found', body: 'Upload an image to see it here' },
  },
  snapshot: {
    kind: 'snapshot',
    label: 'Snapshot',
    placeholder: 'Select a snapshot',
    empty: { title: 'No snapshots found', body: 'Create a snapshot of a disk to see it here' },
  },
} as const

type Source = { size: number }

function sourceOptions(tab: SourceTab, offer: Offer): Option[] {
  if (tab === 'snapshot') {
    const diskNames = new Map(offer.disks.map(({ id, name }) => [id, name]))
    return offer.snapshots.map((each) => snapshotOption(each, diskNames.get(each.diskId)))
  }
  const images = tab === 'silo' ? offer.siloImages : offer.projectImages
  return images.map((each) => imageOption(each))
}

type Props = { form: UseFormReturn<InstanceValues>; offer: Offer; disabled: boolean }

export function BootDiskSection({ project, form, offer, disabled }: Props & { project: string }) {
  const { control, setValue, getValues } = form
  const { siloImages, projectImages, snapshots, freeDisks } = offer
  const [tab, queued] = useWatch({ control, name: ['boot', 'disks'] })
  const attachable = freeDisks.filter(
    ({ name }) => !queued.some((each) => each.action === 'attach' && each.name === name),
  )

  /** Raises the size only if the source does not fit. */
  const fitSize = (source: Source | undefined, exactly = getValues('bootReadOnly')) => {
    if (!source) return
    const size = exactly
      ? Math.ceil(source.size / GiB)
      : fittingDiskSize(getValues('bootSize'), source.size)
    setValue('bootSize', size, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }
  const select = (next: BootTab) => {
    setValue('boot', next, { shouldDirty: true })
    fitSize(bootSource(getValues(), offer))
  }
  const all = [siloImages, projectImages, snapshots, freeDisks]
  const imagesKnown = isLoaded(offer, 'siloImages') && isLoaded(offer, 'projectImages')
  const known = tabs.every(({ id }) => isLoaded(offer, partOfTab(id)))
  const nothing =
    known && !offer.reading.siloImages.refused && all.every(({ length }) => length === 0)
  return (
    <Section title="Boot disk">
      {nothing && (
        <Banner variant="notice">
          Images or disks are required to create or attach a boot disk.
        </Banner>
      )}
      {imagesKnown && (
        <Suspense>
          <FirstImage
            project={project}
            images={[...siloImages, ...projectImages]}
            onReady={(imageId) => {
              setValue('projectImage', imageId, { shouldDirty: true })
              select('project')
            }}
          />
        </Suspense>
      )}
      <FormTabs label="Boot disk" tabs={tabs} selected={tab} onSelect={select}>
        <ChoicesPart key={tab} part={partOfTab(tab)} offer={offer}>
          {tab === 'disk' ? (
            <ExistingDisk form={form} disks={attachable} disabled={disabled} />
          ) : (
            <FromSource {...{ tab, form, offer, project, disabled }} onFit={fitSize} />
          )}
        </ChoicesPart>
      </FormTabs>
    </Section>
  )
}

type FromSourceProps = Props & {
  project: string
  tab: SourceTab
  onFit: (source: Source | undefined, exactly?: boolean) => void
}

function FromSource({ project, tab, form, offer, disabled, onFit }: FromSourceProps) {
  const { control, getValues } = form
  const field = sourceFields[tab]
  const { kind, label, placeholder, empty } = wording[tab]
  const [chosen, readOnly] = useWatch({ control, name: [field, 'bootReadOnly'] })
  const sources = sourcesOf(tab, offer)
  // A chosen source deleted in the meantime stays visible with its error.
  if (sources.length === 0 && !chosen) return <NothingHere {...empty} />
  const source = sources.find(({ id }) => id === chosen)
  const min = source ? Math.ceil(source.size / GiB) : 1
  const sizeIsFixed = readOnly && source !== undefined
  const nameProblem = (name: string) => {
    if (!name) return undefined
    const made = getValues('disks').filter(({ action }) => action === 'create')
    const taken = offer.disks.some((disk) => disk.name === name)
    if (taken || made.some((each) => queuedName(each) === name)) return 'Name is already in use'
    return nameFieldProblem(name, 'Disk name')
  }
  return (
    <>
      <ComboboxField
        name={field}
        label={label}
        placeholder={placeholder}
        control={control}
        disabled={disabled}
        options={sourceOptions(tab, offer)}
        onChange={(id) => onFit(sources.find((each) => each.id === id))}
      />
      <NumberField
        name="bootSize"
        label="Disk size"
        units="GiB"
        control={control}
        min={min}
        max={DISTRIBUTED_MAX}
        disabled={disabled || sizeIsFixed}
        description={sizeIsFixed && `A read-only disk is as large as its ${kind}`}
        validate={(size) =>
          size < min ? `Must be as large as selected ${kind} (min. ${min} GiB)` : undefined
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
        onChange={(on) => onFit(source, on)}
      >
        Make disk read-only
      </CheckboxField>
      <PoolField
        name="bootPool"
        control={control}
        project={project}
        usual={`That of the ${kind}`}
        disabled={disabled}
      />
      <BootNotice type={kind} id={source?.id} project={project} />
      <CdHint
        image={[...offer.siloImages, ...offer.projectImages].find(({ id }) => id === chosen)}
      />
    </>
  )
}

function ExistingDisk({ form, disks, disabled }: Omit<Props, 'offer'> & { disks: Disk[] }) {
  const chosen = useWatch({ control: form.control, name: 'bootDisk' })
  if (disks.length === 0 && !chosen) {
    return (
      <NothingHere
        title="No detached disks found"
        body="Only detached disks can be used as a boot disk"
      />
    )
  }
  return (
    <>
      <ComboboxField
        name="bootDisk"
        label="Disk"
        placeholder="Select a disk"
        control={form.control}
        disabled={disabled}
        options={disks.map(diskOption)}
      />
      <BootNotice type="disk" id={disks.find(({ name }) => name === chosen)?.id} />
    </>
  )
}
