/**
 * `node scripts/run.mjs rust-sdk`: builds the published Rust SDK of this API, the basis of its
 * command line tool, and runs it against a new server. It signs in by device authorization with a
 * published OAuth 2 client. Needs Rust and its package registry, so it is not part of the tests.
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
