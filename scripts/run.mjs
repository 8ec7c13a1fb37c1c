/**
 * Starts a script of this directory: `node scripts/run.mjs start --port 8080`.
 *
 * Plain JavaScript, so that an old Node gets as far as the version check. On an old Node it goes on
 * with the one that `npm ci` brings along, and without that it says what to do.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeVersionProblem } from '../packages/node/src/node-version.mjs'

const scripts = dirname(fileURLToPath(import.meta.url))
const modules = join(scripts, '../node_modules')

function runHere(name) {
  const path = join(scripts, `${name}.ts`)
  // The script finds its arguments where it would if it had been started directly.
  process.argv.splice(1, 2, path)
  nodeModule.enableCompileCache(join(modules, '.cache/compile'))
  return import(`./${name}.ts`)
}

function runWithBundledNode(node) {
  const child = spawn(node, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, STEADING_BUNDLED_NODE: '1' },
  })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code === null ? (signal ? 1 : 0) : code))
}

const name = process.argv[2]
const problem = nodeVersionProblem()
const bundledNode = join(modules, '.bin/node')
if (!name || !/^[a-z-]+$/.test(name)) {
  console.error('Usage: node scripts/run.mjs <script> [options]')
  process.exit(2)
} else if (!existsSync(join(modules, '.package-lock.json'))) {
  console.error('The dependencies are not installed. Run `npm ci` first.')
  process.exit(2)
} else if (!problem) {
  runHere(name)
} else if (existsSync(bundledNode) && !process.env.STEADING_BUNDLED_NODE) {
  runWithBundledNode(bundledNode)
} else {
  console.error(problem)
  process.exit(2)
}
