/**
 * `npm run dev [-- options]`: the console with hot reload, and a control plane that restarts when
 * its sources change. The options are the same as for `npm start`. With `STEADING_API` the console
 * uses that control plane, and none is started.
 */
import { join } from 'node:path'
import { errorMessage } from '@steading/files'
import { readConfig, type ServerConfig } from '../packages/node/src/config.ts'
import { StartError } from '../packages/node/src/errors.ts'
import { exitOf, root, start } from './processes.ts'
import { consoleSite } from './sites.ts'

const args = process.argv.slice(2)
let config: ServerConfig
try {
  config = readConfig(args, process.env)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(`steading: ${error.message}`)
  process.exit(2)
}

const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
const foreignApi = process.env.STEADING_API
// Set before Vite is loaded, because its configuration reads this.
process.env.STEADING_API ||= `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`

const controlPlane = foreignApi
  ? undefined
  : start(process.execPath, [
      '--watch',
      '--watch-preserve-output',
      join(root, 'packages/node/src/main.ts'),
      ...args,
    ])

const { createServer } = await import('vite')
const vite = await createServer({ configFile: join(consoleSite.directory, 'vite.config.ts') })
try {
  await vite.listen()
} catch (error) {
  console.error(`cannot start the development server: ${errorMessage(error)}`)
  controlPlane?.kill('SIGTERM')
  process.exit(2)
}
console.log(`The console with hot reload is at ${vite.resolvedUrls?.local[0]}`)

let stopping = false
const stop = async (): Promise<void> => {
  if (stopping) return
  stopping = true
  controlPlane?.kill('SIGTERM')
  await Promise.all([vite.close(), ended])
  process.exit(0)
}
const ended = controlPlane && exitOf(controlPlane).then(() => void stop())
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())
