/** Finds the npm packages of bundled modules. */
import { join, relative } from 'node:path'
import { root } from './processes.ts'

const modules = join(root, 'node_modules')
const MODULE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//

/**
 * Packages that contain the files, as folders below `node_modules` of this repository. Files of the
 * repository itself belong to none.
 */
export function packagesOf(files: readonly string[]): string[] {
  const folders = files.flatMap((file) => {
    // Bundlers prefix names of virtual modules by a null byte, and append queries.
    const folder = MODULE.exec(file.replace(/^\0/, ''))?.[1]
    return folder?.startsWith(modules) ? [relative(modules, folder)] : []
  })
  return [...new Set(folders)].toSorted()
}
