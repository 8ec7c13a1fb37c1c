/**
 * `node scripts/run.mjs go-sdk`: builds the published Go SDK of this API and drives it against a server
 * of its own, with an access token from the device flow. Needs Go and its module proxy, so it is no
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
