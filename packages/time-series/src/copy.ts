import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { copySparse, ifMissing, linkOrCopy } from '@steading/files'
import { logNumber, rangeOf } from './names.ts'

/**
 * Copies the time series beside a server that goes on writing them. Segments never change, so links
 * to them do. A log is copied as far as it is; what is written meanwhile to its end is cut off when it
 * is read. Logs go first: a head that becomes a segment meanwhile is in both, which the store knows to
 * be one.
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
    // A file that has become a part of another one meanwhile is missing.
    if (await copied().catch(ifMissing(false))) return
  }
}
