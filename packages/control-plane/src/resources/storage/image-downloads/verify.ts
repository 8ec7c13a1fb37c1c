/** The step that compares the stored bytes with the checksum. */
import { imageDownloadProblems as problems } from '@steading/api/rules'
import { readPieces } from '../disks/contents.ts'
import { type Download, DownloadFailure, endStep, keep, lookAgain } from './steps.ts'
import { wantedColumn } from './table.ts'

/** Milliseconds between two looks whether the download is cancelled. */
const LOOK_MS = 1_000

/**
 * Reads the bytes from the disk, and not as they arrive: so a download that was cut is verified as a
 * whole, and so is what the disk keeps.
 */
export async function verifyFile(download: Download): Promise<void> {
  const { services, row } = download
  const { imageSources: sources, database } = services
  if (!sources) return lookAgain(download, LOOK_MS)
  const { algorithm, value } = wantedColumn.read(row.wanted!)
  const sum = sources.digest(algorithm)
  let looked = performance.now()
  for await (const bytes of readPieces(services, { volumeId: row.disk_id! }, 0, row.size!)) {
    sum.update(bytes)
    if (sources.closing.aborted) return lookAgain(download, 0)
    if (performance.now() - looked < LOOK_MS) continue
    looked = performance.now()
    await keep(database.db, download, { problem: null })
  }
  const found = sum.digest()
  if (found !== value) throw new DownloadFailure(problems.wrongSum(value, found))
  await database.concurrently((tx) => endStep(tx, download, { state: 'importing' }))
}
