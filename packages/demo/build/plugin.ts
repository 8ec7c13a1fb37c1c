import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Plugin } from 'vite'

async function filledCloud(): Promise<Uint8Array> {
  const directory = mkdtempSync(join(tmpdir(), 'steading-demo-'))
  const path = join(directory, 'cloud.sqlite3')
  try {
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'fill.ts'), path])
    return readFileSync(path)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Fills the demo's cloud, and adds it to the build as a file that `built-cloud.ts` names. */
export function cloud(): Plugin {
  return {
    name: 'cloud',
    apply: 'build',
    load: {
      filter: { id: /\/demo\/src\/load\/built-cloud\.ts$/ },
      async handler() {
        const source = await filledCloud()
        const sha256 = createHash('sha256').update(source).digest('hex')
        const fileName = `assets/cloud-${sha256.slice(0, 8)}.sqlite3`
        this.emitFile({ type: 'asset', fileName, source })
        const file = { url: `/${fileName}`, bytes: source.length, sha256 }
        return { code: `export const builtCloud = ${JSON.stringify(file)}`, moduleType: 'js' }
      },
    },
  }
}
