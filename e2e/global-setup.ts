import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { prepareBrowser } from './browser.ts'

const packages = join(import.meta.dirname, '../packages')

/** Checks that the sites are built, and prepares the browser. */
export default function globalSetup(): void {
  for (const site of ['console', 'demo']) {
    if (!existsSync(join(packages, site, 'dist/index.html'))) {
      throw new Error(`The ${site} has not been built. Run \`npm run build\` first.`)
    }
  }
  prepareBrowser()
}
