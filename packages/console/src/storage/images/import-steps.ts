import type { Disk } from '@steading/api/client'
import { importSteps as stepStates } from '@steading/api/rules'
import { call, idOf, type Step } from '../../workspace/as-code/steps.ts'
import { imageCreateArgs, importDiskArgs, type TemporaryNames } from './import-args.ts'
import type { ImageValues } from './upload-state.ts'
import type { BlockSize } from './upload-transport.ts'

type Import = {
  project: string
  names: TemporaryNames
  values: ImageValues
  file: File | null
}

const NO_FILE = 'image.raw'

/** All calls of an upload, for "Show as code". */
export const importSteps = (
  upload: Import & { blockSize: BlockSize; diskSize?: number },
): Step[] => {
  const { project, names, file, blockSize, diskSize = 0 } = upload
  const { name } = names
  const { size: fileSize, name: fileName } = file ?? { size: 0, name: NO_FILE }
  const size = Math.max(fileSize, diskSize)
  return [
    call('diskCreate', importDiskArgs(project, { name, fileName, size, blockSize }), {
      note: 'A temporary disk with room for the file',
    }),
    call(
      'diskBulkWriteImportStart',
      { path: { disk: name }, query: { project } },
      { note: 'The file goes to the disk, in chunks' },
    ),
    ...restOfUpload(upload),
  ]
}

/** The calls that resume an upload, from the state of its disk. The whole file is sent again. */
export const resumeSteps = (upload: Import, { name, state: { state } }: Disk): Step[] => {
  const at = { path: { disk: name }, query: { project: upload.project } }
  const start = state === stepStates.start.to ? [] : [call('diskBulkWriteImportStart', at)]
  return [...start, ...restOfUpload(upload)]
}

function restOfUpload({ project, names, values, file }: Import): Step[] {
  const { name: disk, snapshotName } = names
  const at = { path: { disk }, query: { project } }
  return [
    { operation: 'writeFile', disk, project, file: file?.name ?? NO_FILE },
    call('diskBulkWriteImportStop', at),
    call(
      'diskFinalizeImport',
      { ...at, body: { snapshotName } },
      { note: 'Its snapshot becomes the image' },
    ),
    { operation: 'awaitFinalized', disk, project },
    call(
      'snapshotView',
      { path: { snapshot: snapshotName }, query: { project } },
      { idAs: 'snapshot' },
    ),
    call('imageCreate', imageCreateArgs(project, values, idOf('snapshot'))),
    call(
      'snapshotDelete',
      { path: { snapshot: snapshotName }, query: { project } },
      { note: 'The image no longer needs either of them' },
    ),
    call('diskDelete', at),
  ]
}

/** The calls that delete the remains of an upload. */
export function discardSteps(project: string, disk: string, writing: boolean): Step[] {
  const at = { path: { disk }, query: { project } }
  return [
    ...(writing ? [call('diskBulkWriteImportStop', at)] : []),
    call(
      'diskFinalizeImport',
      { ...at, body: {} },
      { note: 'A disk can be deleted once it is no longer being imported' },
    ),
    { operation: 'awaitFinalized', disk, project },
    call('diskDelete', at),
  ]
}
