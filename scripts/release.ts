/**
 * `npm run release`: builds the packages of this version in `dist`: for npm the program, Node for
 * machines that need it, and the client; for Debian the program and Node; and the image, if the
 * machine has a tool to build one.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './processes.ts'
import { packClient } from './release/client.ts'
import { packDebian } from './release/debian.ts'
import { packProgram } from './release/program.ts'
import { packRuntime } from './release/runtime.ts'
import { consoleSite, docsSite, refresh } from './sites.ts'

// Packages are installed for other users than the one who builds them.
process.umask(0o022)
const target = join(root, 'dist')

for (const site of [docsSite, consoleSite]) if (!(await refresh(site))) process.exit(1)
rmSync(target, { recursive: true, force: true })
mkdirSync(target)
await packProgram(target)
await packRuntime(target)
await packClient(target)
await packDebian(target)
for (const name of readdirSync(target)) {
  const megabytes = (statSync(join(target, name)).size / 1e6).toFixed(2)
  console.log(`${megabytes.padStart(8)} MB  dist/${name}`)
}
