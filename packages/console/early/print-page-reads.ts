/**
 * Prints the reads and components of each page, and the sidebars, as JSON. A separate process, because the
 * console's modules access browser globals when loaded, and its loaders keep timers.
 */
import { join } from 'node:path'
import { runnerImport } from 'vite'
import type * as pageReadsModule from './page-reads.ts'

const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} }
const target = { addEventListener: () => {}, removeEventListener: () => {} }
Object.assign(globalThis, {
  ...target,
  document: { ...target, hasFocus: () => true, documentElement: { dataset: {} } },
  localStorage: storage,
  location: new URL('http://console.invalid/'),
  matchMedia: () => ({ ...target, matches: false }),
  sessionStorage: storage,
  window: globalThis,
})

const { module } = await runnerImport<typeof pageReadsModule>(
  join(import.meta.dirname, 'page-reads.ts'),
  { root: join(import.meta.dirname, '..'), configFile: false, logLevel: 'error' },
)
process.stdout.write(JSON.stringify(await module.routeFacts()), () => process.exit(0))
