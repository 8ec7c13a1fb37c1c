/** The directories for the disks of real machines that operators choose. */
import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorMessage } from '@steading/files'
import type { ServerConfig } from './config.ts'
import { StartError } from './errors.ts'

export const unusable = (directory: string, option: string, reason: string): StartError =>
  new StartError(`cannot use the directory ${directory} of ${option}: ${reason}`)

/**
 * Refuses a directory that nobody has made: it may be where a file system is yet to be mounted.
 * @throws StartError
 */
export async function requireUsable(directory: string, option: string): Promise<void> {
  const { R_OK, W_OK, X_OK } = constants
  const reason = await stat(directory)
    .then(async (found) => {
      if (!found.isDirectory()) return 'it is not a directory'
      await access(directory, R_OK | W_OK | X_OK)
      return undefined
    })
    .catch((error: unknown) => errorMessage(error))
  if (reason !== undefined) throw unusable(directory, option, reason)
}

/**
 * Makes the directory for disks in the one that all hosts see.
 * @throws StartError
 */
export async function makeSharedVolumes(
  sharedDirectory: string,
  { libvirt, libvirtVolumes }: Pick<ServerConfig, 'libvirt' | 'libvirtVolumes'>,
): Promise<string> {
  for (const [option, value] of [
    ['--libvirt', libvirt],
    ['--libvirt-volumes', libvirtVolumes],
  ]) {
    if (value === undefined) continue
    throw new StartError(`leave out ${option}: with --shared-directory, operators add the hosts`)
  }
  await requireUsable(sharedDirectory, '--shared-directory')
  const volumes = join(sharedDirectory, 'volumes')
  // A directory of another database, or one that is not mounted, is noticed by its token.
  await mkdir(volumes, { recursive: true, mode: 0o711 })
  return volumes
}
