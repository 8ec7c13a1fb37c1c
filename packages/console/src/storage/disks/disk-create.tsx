/** The panel that creates a disk. */
import type { Disk, DiskCreate } from '@steading/api/client'
import { useNavigate, useParams } from '@tanstack/react-router'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import type { Step } from '../../workspace/as-code/steps.ts'
import { DiskForm } from './disk-form.tsx'

/** A disk for a storage pool. */
type Placed = { disk: DiskCreate; pool: string }

type DiskCreateModalProps = {
  project: string
  onDismiss: () => void
  onCreated: (disk: Disk) => void
  /** The following calls, for "Show as code". */
  then?: (disk: DiskCreate) => Step
}

/**
 * Creates the disk and shows a toast. The page decides the next step: return to the list, or
 * attach.
 */
export function DiskCreateModal({ project, onDismiss, onCreated, then }: DiskCreateModalProps) {
  const onSuccess = (disk: Disk) => {
    doneToast('Disk', disk.name, 'created')
    onCreated(disk)
  }
  const argsOf = (body: DiskCreate) => ({ query: { project }, body })
  const create = useApiForm('diskCreate', argsOf, { onSuccess }, then)
  const placedArgsOf = ({ disk, pool }: Placed) => ({ path: { project, pool }, body: disk })
  const createIn = useApiForm(
    'storagePoolDiskCreate',
    placedArgsOf,
    { onSuccess },
    then && (({ disk }) => then(disk)),
  )
  return (
    <DiskForm
      project={project}
      onSubmit={(disk, pool) =>
        pool === '' ? create.onSubmit(disk) : createIn.onSubmit({ disk, pool })
      }
      loading={create.loading || createIn.loading}
      submitError={createIn.submitError ?? create.submitError}
      code={(disk, pool) => (pool === '' ? create.code(disk) : createIn.code({ disk, pool }))}
      onDismiss={onDismiss}
    />
  )
}

export function DiskCreatePage() {
  const navigate = useNavigate()
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const toList = () => void navigate({ to: '/projects/$project/disks', params: { project } })
  return <DiskCreateModal project={project} onDismiss={toList} onCreated={toList} />
}
