/**
 * Package `@steading/runtime`: Node, for machines whose own is too old. It is an optional
 * dependency of the program, and npm skips optional packages whose `engines` do not match; its
 * `engines` match an old Node only.
 */
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { MINIMUM_NODE } from '../../packages/node/src/node-version.mjs'
import { common, emptyFolder, pack, writeJson } from './pack.ts'

export const RUNTIME = '@steading/runtime'

export async function packRuntime(target: string): Promise<void> {
  const folder = emptyFolder('runtime')
  writeJson(join(folder, 'package.json'), {
    name: RUNTIME,
    ...common,
    description: 'Node.js for Steading, for machines whose own is too old',
    engines: { node: `<${MINIMUM_NODE.join('.')}.0` },
    optionalDependencies: manifest.optionalDependencies,
  })
  await pack(folder, target)
}
