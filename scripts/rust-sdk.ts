/**
 * `node scripts/run.mjs rust-sdk`: builds the published Rust SDK of this API, on which its command line
 * tool is built, and drives it against a server of its own. It signs in by the device flow with a
 * published client of OAuth 2. Needs Rust and its package registry, so it is no part of the tests.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build, confirm, drive } from './sdk-server.ts'

await drive((directory) => {
  const target = process.env.CARGO_TARGET_DIR ?? join(directory, 'target')
  const args = ['build', '--locked', '--target-dir', target]
  build('The Rust SDK', 'cargo', args, join(import.meta.dirname, 'rust-sdk'))
  return async (url) => {
    const client = spawn(join(target, 'debug/drive'), {
      env: { ...process.env, OXIDE_HOST: url },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    createInterface(client.stdout).on('line', (line) => {
      console.log(line)
      const [, code] = /^code (\S+)$/.exec(line) ?? []
      if (code) confirm(url, code).catch((error: unknown) => console.error(error))
    })
    return client
  }
})
