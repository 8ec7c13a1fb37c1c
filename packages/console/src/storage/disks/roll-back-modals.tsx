import type { Disk, Instance, RolledBackDisk, Snapshot } from '@steading/api/client'
import { diskCannotRollBack, docsPages } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { instanceDisksQuery } from '../../compute/instances/queries.ts'
import { apiQuery, whenReread } from '../../data/api.ts'
import { readingOf } from '../../data/reads.ts'
import { Banner } from '../../ui/banner.tsx'
import { DocsLink } from '../../ui/docs-links.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import type { Option } from '../../ui/form/options.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { DateTime } from '../../ui/time.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { projectSnapshotsQuery } from './queries.ts'

/** The id of a disk → the id of one of its snapshots; empty for a disk that stays as it is. */
type Values = Record<string, string>

/** Not the option of the form for disks, whose code would become a file of its own. */
const optionOf = ({ id, name, timeCreated }: Snapshot): Option => ({
  value: id,
  label: name,
  content: (
    <span className="block py-0.5">
      <span className="block truncate">{name}</span>
      <span className="block truncate text-xs text-tertiary">
        <DateTime date={timeCreated} />
      </span>
    </span>
  ),
})

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
        {thing} <b>{name}</b> rolled back. Before that,{' '}
        {disks.map(({ before }) => before.name).join(', ')} {disks.length === 1 ? 'was' : 'were'}{' '}
        taken: roll back to {disks.length === 1 ? 'it' : 'them'} to take this back.
      </>
    ),
  })

/** What a rollback does, in the words of both dialogs. */
const Consequence = () => (
  <Banner>
    Everything written since the snapshot is replaced. A snapshot of now is taken first, which
    counts against the quota; roll back to that to take the rollback back. A disk that has grown
    keeps its size. <DocsLink page={docsPages.rollBack}>More about rolling back</DocsLink>
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
    (disk && diskCannotRollBack(disk.state.state, disk.readOnly)) ??
    (instance && cannotRollBack(instance))
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
        options={own.map((each) => optionOf(each))}
        empty="This disk has no snapshots"
      />
    </ModalForm>
  )
}

const cannotRollBack = ({ runState }: Pick<Instance, 'runState'>): string | undefined =>
  runState === 'stopped' || runState === 'failed'
    ? undefined
    : 'Stop the instance first: a disk can be rolled back only while nothing uses it'

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
  const reason = cannotRollBack(now)
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
            ...snapshots.of(disk.id).map((each) => optionOf(each)),
          ]}
        />
      ))}
      {possible.length === 0 && <p>No disk of this instance can have snapshots.</p>}
    </ModalForm>
  )
}
