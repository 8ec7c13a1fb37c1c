/** The scripts of the host, which run on from a copy when this installation is replaced. */
import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '@steading/files'

/** Beside this module, also in a bundle. */
const source = join(import.meta.dirname, 'host')
const names = ['host.sh', 'namespace.sh', 'rules.nft', 'libvirtd.conf', 'qemu.conf']

interface Program {
  /** Changes with the scripts and settings. */
  version: string
  script: string
  /** Removes the copies of other versions. */
  removeOthers: () => Promise<void>
}

/** Copies the scripts to the directory of a host. */
export async function installProgram(directory: string): Promise<Program> {
  const files = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(source, name), 'utf8') })),
  )
  const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12)
  const programs = join(directory, 'program')
  const home = join(programs, version)
  const unfinished = join(programs, `new-${crypto.randomUUID()}`)
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  await chmod(programs, 0o700)
  for (const { name, text } of files) await writeFile(join(unfinished, name), text, { mode: 0o600 })
  await rename(unfinished, home).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true })
    // The copy is there already, in whole.
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error
  })
  return {
    version,
    script: join(home, 'host.sh'),
    async removeOthers() {
      for (const name of await readdir(programs)) {
        // A copy in the making belongs to another server.
        if (name === version || name.startsWith('new-')) continue
        await rm(join(programs, name), { recursive: true, force: true })
      }
    },
  }
}
