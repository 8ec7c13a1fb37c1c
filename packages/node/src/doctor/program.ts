/** Checks of the program itself. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installation, installedVersion } from '../installation.ts'
import { MINIMUM_NODE } from '../node-version.mjs'
import { type Finding, ok, problem, warning } from './finding.ts'

const isBuilt = (directory: string): boolean => existsSync(join(directory, 'index.html'))

/** Directories of the parts built for browsers. */
export type BuiltParts = Pick<typeof installation, 'console' | 'docs'>

export function checkProgram(parts: BuiltParts): Finding[] {
  return [
    ok('Steading', installedVersion()),
    // Older versions have exited before this.
    ok('Node.js', `${process.versions.node}; ${MINIMUM_NODE.join('.')} or newer is needed`),
    isBuilt(parts.console)
      ? ok('console', 'built')
      : problem('console', `not in ${parts.console}`, installation.repair),
    isBuilt(parts.docs)
      ? ok('documentation', 'built')
      : warning('documentation', `not in ${parts.docs}`, installation.repair),
  ]
}
