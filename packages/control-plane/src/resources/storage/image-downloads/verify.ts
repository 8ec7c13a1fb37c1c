/** The step that compares the stored bytes with the checksum. */
import { imageDownloadProblems as problems } from '@steading/api/rules'
import { readPieces } from '../disks/contents.ts'
import { type Download, DownloadFailure, endStep, requeue, Superseded, watch } from './steps.ts'
import { wantedColumn } from './kind.ts'

/**
 * Reads the bytes from the disk, and not as they arrive: so a download that was cut is verified as a
 * whole, and so is what the disk keeps.
 */
export async function verifyFile(download: Download): Promise<void> {
  const { services, row } = download
  const { imageSources: sources, database } = services
  if (!sources) return requeue(download)
  const { algorithm, value } = wantedColumn.read(row.wanted!)
  const sum = sources.digest(algorithm)
  const { signal, end } = watch(download)
  try {
    for await (const bytes of readPieces(services, { volumeId: row.disk_id! }, 0, row.size!)) {
      sum.update(bytes)
      if (signal.aborted) throw new Superseded()
      if (sources.closing.aborted) return await requeue(download, 0)
    }
  } finally {
    end()
  }
  const found = sum.digest()
  if (found !== value) throw new DownloadFailure(problems.wrongSum(value, found))
  await database.concurrently((tx) => endStep(tx, download, { state: 'importing' }))
}
