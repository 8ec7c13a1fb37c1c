/**
 * Makes images of files at URLs: the file is written to a disk by the steps of an import, which
 * convert and refuse images as those of an upload do. A step may be killed at any instant: what the
 * row says is stored is stored, and a server that has lost its claim writes to no disk that goes
 * on.
 */
import { imageDownloadIsActive, imageDownloadProblems as problems } from '@steading/api/rules'
import { ApiError } from '../../../kernel/errors.ts'
import { NoSpaceError } from '../../../kernel/ports/block-store.ts'
import { ImageSourceError } from '../../../kernel/ports/image-sources.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { discard } from './discard.ts'
import { downloadFile } from './download.ts'
import { importFile } from './finish.ts'
import {
  type Download,
  DownloadFailure,
  type DownloadStep,
  endStep,
  requeue,
  Superseded,
} from './steps.ts'
import { verifyFile } from './verify.ts'
import type { DownloadRow } from './kind.ts'

export type { DownloadRow, DownloadStep }

const advance = {
  downloading: downloadFile,
  verifying: verifyFile,
  importing: importFile,
} as const

/** The sentence for the user about a download that cannot succeed. @throws other errors */
function problemOf(error: unknown): string {
  if (error instanceof DownloadFailure || error instanceof ImageSourceError) return error.message
  if (error instanceof NoSpaceError) return problems.noSpace
  // An error of the database, such as an outage, is not an error of the download.
  if (error instanceof ApiError && error.template.status !== 503) return error.message
  throw error
}

/** Deletes what a download that has ended leaves behind. */
async function cleanUp(download: Download): Promise<void> {
  if (!(await discard(download))) await requeue(download)
}

export async function reconcileImageDownload(
  services: ControlPlaneServices,
  step: DownloadStep,
  row: DownloadRow,
): Promise<void> {
  const download = { services, step, row }
  if (row.state === 'ready') return
  if (!imageDownloadIsActive(row.state)) return cleanUp(download)
  try {
    await advance[row.state as keyof typeof advance](download)
  } catch (error) {
    if (error instanceof Superseded) return
    const problem = problemOf(error)
    const time_finished = services.clock().toISOString()
    await services.database.concurrently((tx) =>
      endStep(tx, download, { state: 'failed', problem, time_finished }),
    )
  }
}
