import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { RouteFacts } from './pages.ts'

/**
 * The reads and components of each page of the console, and its sidebars.
 * @throws Error if a loader fails before its first read
 */
export async function loadRouteFacts(): Promise<RouteFacts> {
  const script = join(import.meta.dirname, 'print-page-reads.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 2 ** 24 })
  return JSON.parse(stdout) as RouteFacts
}
