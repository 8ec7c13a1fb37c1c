import type { Disk } from '@steading/api/client'
import {
  DISTRIBUTED_DISK_MAX_SIZE,
  diskCannotGrow,
  diskSizeFieldProblem,
  docsPages,
  GiB,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch, type Control } from 'react-hook-form'
import { utilizationQuery } from '../../compute/instances/quota.ts'
import { apiQuery, whenReread } from '../../data/api.ts'
import { seedAnswer } from '../../data/seed-answer.ts'
import { Banner } from '../../ui/banner.tsx'
import { DocsLink } from '../../ui/docs-links.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { formatSize } from '../../ui/number.ts'
import { addToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'

/** GiB that the form suggests to add. */
const SUGGESTED = 10

type Values = { size: number }

/** Makes a disk larger, and says what remains to be done in the guest. */
export default function GrowModal(props: { project: string; disk: Disk; onDismiss: () => void }) {
  const { project, onDismiss } = props
  const args = { path: { disk: props.disk.name }, query: { project } }
  // Its state may change while the dialog is open.
  const disk = useQuery({ ...apiQuery('diskView', args), initialData: props.disk }).data
  const present = disk.size / GiB
  const max = disk.diskType === 'local' ? Infinity : DISTRIBUTED_DISK_MAX_SIZE / GiB
  const form = useForm<Values>({
    mode: 'onChange',
    defaultValues: { size: Math.min(present + SUGGESTED, max) },
  })
  const argsOf = ({ size }: Values) => ({ ...args, body: { size: size * GiB } })
  const grow = useApiForm('diskGrow', argsOf, {
    onSuccess: async (grown) => {
      seedAnswer('diskView', args, grown)
      await whenReread()
      addToast({
        content: (
          <>
            Disk <b>{grown.name}</b> has {formatSize(grown.size)} now. Grow the partition and the
            file system in its guest.
          </>
        ),
        link: <DocsLink page={docsPages.largerDisk}>In the guest</DocsLink>,
      })
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title={`Grow ${disk.name}`}
      submitLabel="Grow"
      {...grow}
      submitDisabledReason={diskCannotGrow(disk.state.state, disk.readOnly)}
      onDismiss={onDismiss}
    >
      <Banner>
        Current size: {formatSize(disk.size)}. A disk cannot shrink again; its snapshots keep their
        sizes.
      </Banner>
      <NumberField
        name="size"
        label="New size"
        units="GiB"
        control={form.control}
        min={present + 1}
        max={max === Infinity ? undefined : max}
        validate={(size) => diskSizeFieldProblem(size, { min: present + 1, max })}
      />
      <QuotaLeft disk={disk} control={form.control} />
      <p className="text-secondary">
        A running guest sees the new size at once. Its partition and file system grow by{' '}
        <code>growpart</code> and <code>resize2fs</code>; most cloud images do so by themselves at
        the next boot. <DocsLink page={docsPages.largerDisk}>Commands for the guest</DocsLink>
      </p>
    </ModalForm>
  )
}

/** The storage that the quota leaves, and whether the new size fits. */
function QuotaLeft({ disk, control }: { disk: Disk; control: Control<Values> }) {
  const size = useWatch({ control, name: 'size' })
  const outcome = useQuery(utilizationQuery).data
  if (outcome?.type !== 'success') return <p className="min-h-5" />
  const { provisioned, capacity } = outcome.data
  const left = capacity.storage - provisioned.storage
  const over = size * GiB - disk.size - left
  return (
    <p aria-live="polite" className="min-h-5 text-secondary tabular-nums">
      The storage quota leaves {formatSize(Math.max(left, 0))}.
      {over > 0 && (
        <span className="text-amber-text"> This size is {formatSize(over)} over the quota.</span>
      )}
    </p>
  )
}
