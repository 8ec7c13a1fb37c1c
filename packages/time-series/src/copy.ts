import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { copySparse, ifMissing, linkOrCopy } from '@steading/files'
import { logNumber, rangeOf } from './names.ts'

/**
 * Copies the time series of a running server. Segments are immutable, so they are linked. A log is
 * copied at its current length; an incomplete record at its end is dropped when it is read. Logs
 * are first: a head that becomes a segment meanwhile is in both, which the store recognizes.
 */
export async function linkTimeSeries(from: string, to: string): Promise<void> {
  for (;;) {
    const names = await readdir(from).catch(ifMissing(undefined))
    if (!names) return
    await rm(to, { recursive: true, force: true })
    await mkdir(to)
    const copied = async () => {
      for (const name of names.filter((name) => logNumber(name) !== undefined)) {
        await copySparse(join(from, name), join(to, name))
      }
      for (const name of (await readdir(from)).filter((name) => rangeOf(name))) {
        await linkOrCopy(join(from, name), join(to, name))
      }
      return true
    }
    // A file that has been merged meanwhile is missing.
    if (await copied().catch(ifMissing(false))) return
  }
}
