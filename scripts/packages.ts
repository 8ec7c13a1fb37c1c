/** The npm packages of which modules are bundled. */
import { join, relative } from 'node:path'
import { root } from './processes.ts'

const modules = join(root, 'node_modules')
const MODULE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//

/**
 * The packages that some files are from, as folders below `node_modules` of this repository. Files of
 * the repository itself are of none.
 */
export function packagesOf(files: readonly string[]): string[] {
  const folders = files.flatMap((file) => {
    // Bundlers put a null byte before the names of modules that they make, and a query after them.
    const folder = MODULE.exec(file.replace(/^\0/, ''))?.[1]
    return folder?.startsWith(modules) ? [relative(modules, folder)] : []
  })
  return [...new Set(folders)].toSorted()
}
