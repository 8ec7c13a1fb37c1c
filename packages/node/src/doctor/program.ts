/** Checks of the program itself. */
import { installation, installedVersion } from '../installation.ts'
import { MINIMUM_NODE } from '../node-version.mjs'
import { faultOfSite } from '../static.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

function builtFinding(
  about: string,
  directory: string,
  bad: (about: string, text: string, advice: string) => Finding,
): Finding {
  const fault = faultOfSite(directory)
  if (!fault) return ok(about, 'built')
  return fault.is === 'missing'
    ? bad(about, `not in ${directory}`, installation.repair)
    : bad(
        about,
        `cannot be read: ${fault.reason}`,
        `make the files in ${directory} readable by the user of the server`,
      )
}

/** Directories of the parts built for browsers. */
export type BuiltParts = Pick<typeof installation, 'console' | 'docs'>

export function checkProgram(parts: BuiltParts): Finding[] {
  return [
    ok('Steading', installedVersion()),
    // Older versions have exited before this.
    ok('Node.js', `${process.versions.node}; ${MINIMUM_NODE.join('.')} or newer is needed`),
    builtFinding('console', parts.console, problem),
    builtFinding('documentation', parts.docs, warning),
  ]
}
