import type { Disk } from '@steading/api/client'
import { importSteps } from '@steading/api/rules'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { useCapability } from '../../data/capabilities.ts'
import { pathTo } from '../../data/addresses.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { discardSteps } from './import-steps.ts'
import { TEMPORARY_DISK } from './import-args.ts'
import { forgetUpload, isUploading } from './upload-memory.ts'

/** A temporary disk of an upload whose browser was closed or lost its connection. */
export const isAbandonedImport = ({ name, state: { state } }: Disk): boolean =>
  name.startsWith(TEMPORARY_DISK) &&
  (state === importSteps.start.from || state === importSteps.stop.from)

const isWriting = ({ state: { state } }: Disk) => state === importSteps.stop.from

async function discard({ id }: Disk, project: string) {
  if (await isUploading(id)) throw new Error('Another tab is uploading this file.')
  const { discardImport, uploadTransport } = await import('./upload-transport.ts')
  const plain = { importResume: false, rawImport: false, diskContents: false, imageFormats: [] }
  await discardImport(uploadTransport(project, plain), { id })
  forgetUpload(id)
}

/** Asks before an unfinished upload is discarded. */
export const askToDiscard = (disk: Disk, project: string): void =>
  confirmDelete({
    kind: 'disk',
    name: disk.name,
    extra: 'The data uploaded so far will be lost.',
    action: () => discard(disk, project),
    code: () => asCode(...discardSteps(project, disk.name, isWriting(disk))),
  })

/** The row actions of the disks of abandoned imports. */
export function useAbandonedImportActions(project: string): (disk: Disk) => MenuAction[] {
  const canResume = useCapability('importResume')
  return (disk) => [
    {
      label: 'Resume upload',
      calls: 'diskBulkWriteImport',
      disabledReason: !canResume && 'This control plane does not report the progress of uploads',
      href: pathTo('/projects/$project/disks/$disk/resume-upload', { project, disk: disk.name }),
    },
    {
      label: 'Delete',
      calls: 'diskDelete',
      danger: true,
      onAction: () => askToDiscard(disk, project),
    },
  ]
}
