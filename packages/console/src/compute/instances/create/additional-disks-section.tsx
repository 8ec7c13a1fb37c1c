import type { Disk } from '@steading/api/client'
import { useState } from 'react'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import type { Reading } from '../../../data/reads.ts'
import { DiskForm } from '../../../storage/disks/disk-form.tsx'
import { diskTypeLabel } from '../../../storage/disks/disk-state.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { Button } from '../../../ui/button.tsx'
import { ComboboxField } from '../../../ui/form/combobox-field.tsx'
import { MiniTable } from '../../../ui/form/mini-table.tsx'
import { ModalForm } from '../../../ui/form/modal-form.tsx'
import { Size } from '../../../ui/text.tsx'
import { diskOption } from '../../../storage/disks/disk-options.tsx'
import { Problem, Section } from './section.tsx'
import type { Offer } from './queries.ts'
import { queuedName, queuedSize, type InstanceValues, type QueuedDisk } from './values.ts'

const isLocal = (queued: QueuedDisk) =>
  queued.action === 'create' ? queued.disk.diskBackend.type === 'local' : queued.local

const columns = [
  {
    id: 'name',
    header: 'Name',
    cell: (queued: QueuedDisk) => (
      <span className="block min-w-20 py-1.5 wrap-anywhere">
        {queuedName(queued)}
        {queued.action === 'create' && queued.pool && (
          <span className="block text-xs text-tertiary">in {queued.pool}</span>
        )}
      </span>
    ),
  },
  {
    id: 'action',
    header: 'Action',
    cell: ({ action }: QueuedDisk) => <Tag>{action}</Tag>,
  },
  {
    id: 'type',
    header: 'Type',
    cell: (queued: QueuedDisk) => diskTypeLabel[isLocal(queued) ? 'local' : 'distributed'],
  },
  { id: 'size', header: 'Size', cell: (queued: QueuedDisk) => <Size bytes={queuedSize(queued)} /> },
]

type Props = {
  project: string
  form: UseFormReturn<InstanceValues>
  offer: Offer
  disabled: boolean
}

export function AdditionalDisksSection({ project, form, offer, disabled }: Props) {
  const { control, getValues, setValue } = form
  const disks = useWatch({ control, name: 'disks' })
  const [open, setOpen] = useState<'create' | 'attach' | null>(null)
  const close = () => setOpen(null)
  const set = (next: QueuedDisk[]) => {
    form.clearErrors('disks')
    setValue('disks', next, { shouldDirty: true })
  }
  const add = (queued: QueuedDisk) => {
    set([...getValues('disks'), queued])
    close()
  }
  const { boot, bootName, bootDisk } = getValues()
  return (
    <Section title="Additional disks">
      <MiniTable
        label="Disks"
        columns={columns}
        items={disks}
        rowKey={queuedName}
        onRemove={(queued) => set(disks.filter((each) => each !== queued))}
        removeLabel={(queued) => `Remove disk ${queuedName(queued)}`}
        empty={
          <>
            <span className="block font-medium text-primary">No disks</span>
            Add a disk to see it here
          </>
        }
      />
      <Problem form={form} name="disks" />
      <div className="-mt-2 flex flex-wrap gap-2">
        <Button size="sm" disabled={disabled} onClick={() => setOpen('create')}>
          Create new disk
        </Button>
        <Button size="sm" disabled={disabled} onClick={() => setOpen('attach')}>
          Attach existing disk
        </Button>
      </div>
      {open === 'create' && (
        <DiskForm
          project={project}
          takenNames={[
            ...offer.disks.map(({ name }) => name),
            ...disks.map(queuedName),
            ...(boot === 'disk' ? [] : [bootName]),
          ]}
          onSubmit={(disk, pool) => add({ action: 'create', disk, pool })}
          onDismiss={close}
        />
      )}
      {open === 'attach' && (
        <AttachModal
          reading={offer.reading.disks}
          onCreate={() => setOpen('create')}
          disks={offer.freeDisks.filter(
            ({ name, state }) =>
              state.state === 'detached' &&
              !disks.some((each) => queuedName(each) === name) &&
              !(boot === 'disk' && bootDisk === name),
          )}
          onAttach={({ name, size, diskType }) =>
            add({ action: 'attach', name, size, local: diskType === 'local' })
          }
          onDismiss={close}
        />
      )}
    </Section>
  )
}

type AttachModalProps = {
  disks: Disk[]
  reading: Reading
  onCreate: () => void
  onAttach: (disk: Disk) => void
  onDismiss: () => void
}

function AttachModal({ disks, reading, onCreate, onAttach, onDismiss }: AttachModalProps) {
  const form = useForm({ defaultValues: { disk: '' } })
  return (
    <ModalForm
      form={form}
      title="Attach disk"
      submitLabel="Attach disk"
      onSubmit={({ disk }) => onAttach(disks.find(({ name }) => name === disk)!)}
      onDismiss={onDismiss}
      loading={false}
      submitError={null}
      sends={false}
    >
      <ComboboxField
        name="disk"
        label="Disk name"
        placeholder="Select a disk"
        control={form.control}
        {...reading}
        options={disks.map(diskOption)}
        empty="No detached disks found"
        whenEmpty={{ label: 'Create new disk', onAction: onCreate }}
      />
    </ModalForm>
  )
}
