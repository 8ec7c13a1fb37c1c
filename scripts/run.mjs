/**
 * Starts a script of this directory: `node scripts/run.mjs start --port 8080`.
 *
 * Plain JavaScript, so that an old Node can run the version check. An old Node switches to the one
 * installed by `npm ci`, or prints advice if there is none.
 */
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withSuitableNode } from '../packages/node/src/suitable-node.mjs'

const scripts = dirname(fileURLToPath(import.meta.url))
const modules = join(scripts, '../node_modules')

function runHere(name) {
  const path = join(scripts, `${name}.ts`)
  // The script finds its arguments as if it had been started directly.
  process.argv.splice(1, 2, path)
  nodeModule.enableCompileCache(join(modules, '.cache/compile'))
  return import(`./${name}.ts`)
}

const name = process.argv[2]
const bundledNode = join(modules, '.bin/node')
if (!name || !/^[a-z-]+$/.test(name)) {
  console.error('Usage: node scripts/run.mjs <script> [options]')
  process.exit(2)
} else if (!existsSync(join(modules, '.package-lock.json'))) {
  console.error('The dependencies are not installed. Run `npm ci` first.')
  process.exit(2)
} else {
  withSuitableNode(
    () => runHere(name),
    () => (existsSync(bundledNode) ? bundledNode : undefined),
  )
}
