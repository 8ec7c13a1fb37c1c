import type { Disk, Instance, RolledBackDisk, Snapshot } from '@steading/api/client'
import { diskCannotRollBack, docsPages, instanceCannot } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { instanceDisksQuery } from '../../compute/instances/queries.ts'
import { apiQuery, whenReread } from '../../data/api.ts'
import { readingOf } from '../../data/reads.ts'
import { Banner } from '../../ui/banner.tsx'
import { DocsLink } from '../../ui/docs-links.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { snapshotOption } from './disk-options.tsx'
import { projectSnapshotsQuery } from './queries.ts'

/** The id of a disk → the id of one of its snapshots; empty for a disk that stays as it is. */
type Values = Record<string, string>

/** The ready snapshots of a project, the newest first. */
function useReadySnapshots(project: string) {
  const snapshots = useQuery(projectSnapshotsQuery(project))
  const ready = (snapshots.data?.items ?? [])
    .filter(({ state }) => state === 'ready')
    .toSorted((a, b) => b.timeCreated.getTime() - a.timeCreated.getTime())
  return {
    reading: readingOf(snapshots),
    of: (disk: string) => ready.filter(({ diskId }) => diskId === disk),
  }
}

const sayDone = (thing: string, name: string, disks: readonly RolledBackDisk[]) =>
  addToast({
    content: (
      <>
        {thing} <b>{name}</b> rolled back. To undo this, roll back to{' '}
        {disks.map(({ before }) => before.name).join(', ')}.
      </>
    ),
  })

/** The explanation of a rollback in both dialogs. */
const Consequence = () => (
  <Banner>
    Everything written since the snapshot is replaced. A snapshot of the present contents is taken
    first and counts against the quota; roll back to that snapshot to undo this. A disk that has
    grown keeps its size. <DocsLink page={docsPages.rollBack}>More about rolling back</DocsLink>
  </Banner>
)

type DiskProps = {
  project: string
  diskId: string
  /** The snapshot that is chosen at first; otherwise the newest one. */
  snapshot?: Pick<Snapshot, 'id'>
  onDismiss: () => void
}

/** Rolls a disk back to one of its snapshots. */
export function DiskRollBackModal({ project, diskId, snapshot, onDismiss }: DiskProps) {
  const read = useQuery(apiQuery('diskView', { path: { disk: diskId } }, { allow404: true }))
  const disk = read.data
  const instanceId = disk && 'instance' in disk.state ? disk.state.instance : undefined
  const instance = useQuery({
    ...apiQuery('instanceView', { path: { instance: instanceId ?? '' } }),
    enabled: instanceId !== undefined,
  }).data
  const snapshots = useReadySnapshots(project)
  const own = snapshots.of(diskId)
  const form = useForm<{ snapshot: string }>({
    values: { snapshot: snapshot?.id ?? own[0]?.id ?? '' },
    resetOptions: { keepDirtyValues: true },
  })
  const argsOf = (values: { snapshot: string }) => ({
    path: { disk: diskId },
    body: { snapshot: values.snapshot },
  })
  const rollBack = useApiForm('diskRollBack', argsOf, {
    onSuccess: async (done) => {
      await whenReread()
      sayDone('Disk', done.disk.name, [done])
      onDismiss()
    },
  })
  const gone = read.error
    ? 'The disk of this snapshot is deleted: create a disk from it'
    : undefined
  const reason =
    gone ??
    (disk && diskCannotRollBack(disk.state.state, disk.diskType, disk.readOnly)) ??
    (instance && instanceCannot('rollBack', instance.runState))
  return (
    <ModalForm
      form={form}
      title={disk ? `Roll back ${disk.name}` : 'Roll back disk'}
      submitLabel="Roll back"
      {...rollBack}
      submitDisabledReason={reason}
      onDismiss={onDismiss}
    >
      <Consequence />
      {reason !== undefined && <Banner variant="error">{reason}</Banner>}
      <ListboxField
        name="snapshot"
        label="Snapshot"
        placeholder="Select a snapshot"
        control={form.control}
        {...snapshots.reading}
        options={own.map((each) => snapshotOption(each))}
        empty="This disk has no snapshots"
      />
    </ModalForm>
  )
}

type InstanceProps = { project: string; instance: Instance; onDismiss: () => void }

/** Rolls disks of an instance back, each to one of its snapshots. */
export function InstanceRollBackModal({ project, instance, onDismiss }: InstanceProps) {
  const { name } = instance
  const params = { project, instance: name }
  const disks = useQuery(instanceDisksQuery(params)).data?.items ?? []
  const snapshots = useReadySnapshots(project)
  const possible = disks.filter(({ readOnly, diskType }) => !readOnly && diskType !== 'local')
  const newest = Object.fromEntries(
    possible.map(({ id }) => [id, snapshots.of(id)[0]?.id ?? '']),
  ) satisfies Values
  const form = useForm<Values>({ values: newest, resetOptions: { keepDirtyValues: true } })
  const argsOf = (values: Values) => ({
    path: { instance: name },
    query: { project },
    body: { snapshots: possible.flatMap(({ id }) => values[id] || []) },
  })
  const rollBack = useApiForm('instanceRollBack', argsOf, {
    onSuccess: async (done) => {
      await whenReread()
      sayDone('Instance', name, done.disks)
      onDismiss()
    },
  })
  const now = useQuery({
    ...apiQuery('instanceView', { path: { instance: name }, query: { project } }),
    initialData: instance,
  }).data
  const reason = instanceCannot('rollBack', now.runState)
  const label = ({ id, name: disk }: Disk) =>
    id === instance.bootDiskId ? `${disk} (boot disk)` : disk
  return (
    <ModalForm
      form={form}
      title={`Roll back ${name}`}
      submitLabel="Roll back"
      {...rollBack}
      submitDisabledReason={reason}
      onDismiss={onDismiss}
    >
      <Consequence />
      {reason !== undefined && <Banner variant="error">{reason}</Banner>}
      {possible.map((disk) => (
        <ListboxField
          key={disk.id}
          name={disk.id}
          label={label(disk)}
          control={form.control}
          required={false}
          {...snapshots.reading}
          options={[
            { value: '', label: 'Leave as it is' },
            ...snapshots.of(disk.id).map((each) => snapshotOption(each)),
          ]}
        />
      ))}
      {possible.length === 0 && <p>No disk of this instance can have snapshots.</p>}
    </ModalForm>
  )
}
