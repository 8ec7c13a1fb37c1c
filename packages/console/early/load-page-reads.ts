import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PageReads } from './pages.ts'

/**
 * The reads and components of each page of the console.
 * @throws Error if a loader fails before its first read
 */
export async function loadPageReads(): Promise<PageReads[]> {
  const script = join(import.meta.dirname, 'print-page-reads.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 2 ** 24 })
  return JSON.parse(stdout) as PageReads[]
}
