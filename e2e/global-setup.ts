import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { machinesMissing } from '../packages/libvirt/test/support/libvirt.ts'
import startLibvirt from '../packages/libvirt/test/support/machines-setup.ts'
import { prepareBrowser } from './browser.ts'

const root = join(import.meta.dirname, '..')

/**
 * Checks that the sites are built, prepares the browser, and starts libvirt for the tests with real
 * guests, unless it runs.
 * @returns a function that ends libvirt again
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  for (const site of ['packages/console', 'packages/demo', 'docs']) {
    if (!existsSync(join(root, site, 'dist/index.html'))) {
      throw new Error(`${site} has not been built. Run \`npm run build\` first.`)
    }
  }
  prepareBrowser()
  return machinesMissing() === undefined ? startLibvirt() : async () => {}
}
