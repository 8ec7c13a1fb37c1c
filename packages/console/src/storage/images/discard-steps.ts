import { call, type Step } from '../../workspace/as-code/steps.ts'

/** The calls that delete what an upload has left behind. */
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
