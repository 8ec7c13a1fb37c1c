/**
 * `node scripts/run.mjs go-sdk`: builds the published Go SDK of this API and runs it against a new
 * server, with an access token by device authorization. Needs Go and its module proxy, so it is not
 * part of the tests.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { accessToken, build, drive } from './sdk-server.ts'

await drive((directory) => {
  const binary = join(directory, 'drive')
  build('The Go SDK', 'go', ['build', '-o', binary, '.'], join(import.meta.dirname, 'go-sdk'))
  return async (url) => {
    const env = { ...process.env, OXIDE_HOST: url, OXIDE_TOKEN: await accessToken(url) }
    return spawn(binary, { env, stdio: 'inherit' })
  }
})
