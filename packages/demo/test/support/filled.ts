import { existsSync } from 'node:fs'
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { expect, inject, vi } from 'vitest'
import { DAY_MS } from '../../src/file/move.ts'
import { fillCloud } from '../../src/seed/fill.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** An empty folder for the filled cloud. */
    filledFolder: string
  }
}

/** So long ago that the times in the file and the moved times are apart. */
export const present = new Date(Date.now() - 800 * DAY_MS)

/**
 * The file with the demo's cloud. The first test file of a run fills it, because each filling takes
 * ten seconds of a processor; those on other threads wait for it.
 */
export async function filledCloud(sqlite: Sqlite3Static): Promise<Uint8Array> {
  const folder = inject('filledFolder')
  const [file, started] = [join(folder, 'cloud'), join(folder, 'started')]
  const isFirst = await open(started, 'wx').then(
    (lock) => lock.close().then(() => true),
    () => false,
  )
  if (isFirst) {
    const part = join(folder, 'part')
    await writeFile(part, await fillCloud(sqlite, present))
    await rename(part, file)
  }
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 300_000, interval: 100 })
  return new Uint8Array(await readFile(file))
}
