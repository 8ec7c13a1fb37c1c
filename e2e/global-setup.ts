import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { prepareBrowser } from './browser.ts'

const root = join(import.meta.dirname, '..')

/** Checks that the sites are built, and prepares the browser. */
export default function globalSetup(): void {
  for (const site of ['packages/console', 'packages/demo', 'docs']) {
    if (!existsSync(join(root, site, 'dist/index.html'))) {
      throw new Error(`${site} has not been built. Run \`npm run build\` first.`)
    }
  }
  prepareBrowser()
}
