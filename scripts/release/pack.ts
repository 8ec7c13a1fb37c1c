/** Packs folders into npm packages. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { capture, root } from '../processes.ts'

export const { version } = manifest

/** Contents of the packages. */
const staging = join(root, 'node_modules/.cache/release')

/** An empty staging folder for a package. */
export function emptyFolder(name: string): string {
  const folder = join(staging, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

export const writeJson = (file: string, content: object): void =>
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)

/** Common fields of all manifests. */
export const common = { version, license: manifest.license, type: 'module' }

/**
 * Runs a program to completion.
 * @throws with its output if it fails
 */
export async function succeed(command: string, ...args: string[]): Promise<string> {
  const { code, output } = await capture(command, args)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`)
  return output
}

/** Packs a folder into a directory; the file name contains the version. */
export const pack = (folder: string, target: string): Promise<string> =>
  succeed('npm', 'pack', '--silent', '--pack-destination', target, folder)
