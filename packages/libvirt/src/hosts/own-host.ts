/** The host of this server, where hosts are not added by operators. */
import { findAccelerator } from '../accelerator.ts'
import { type MachineFiles, openFiles, qemuUser } from '../files.ts'
import { openKeyboard } from '../keyboard.ts'
import { loadArchive } from '../native/archive.ts'
import { callLimits } from '../native/lanes.ts'
import { type Libvirt, openLibvirt } from '../native/libvirt.ts'
import type { LibvirtOptions } from '../options.ts'
import type { Host, HostSet } from './host-set.ts'
import { connectTo } from './sockets-of-hosts.ts'

/**
 * @param volumes directory of the volumes
 * @param opened called with the directories of the host, when they are first open
 */
export function ownHost(
  serial: string,
  volumes: string,
  options: LibvirtOptions,
  opened: (files: MachineFiles) => Promise<void>,
): HostSet {
  let opening: Promise<Host> | undefined
  let libvirt: Libvirt | undefined
  const open = async (): Promise<Host> => {
    await loadArchive()
    const found = await openLibvirt(options.uri, { ...callLimits, ...options.callLimits })
    libvirt = found
    try {
      const user = qemuUser(await found.capabilities())
      const files = await openFiles(options.directory, volumes, user)
      await opened(files)
      return {
        serial,
        libvirt: found,
        files,
        accelerator: await findAccelerator(found, files),
        openKeyboard: (id, over) => openKeyboard(connectTo(files.of(id).serialSocket), over),
        openScreen: (id) => connectTo(files.of(id).vncSocket),
      }
    } catch (error) {
      await found.close()
      libvirt = undefined
      throw error
    }
  }
  /** Tries again after a failure: libvirt may be started later. */
  const own = (): Promise<Host> =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    }))
  const isOwn = (of: string): boolean => of === serial
  return {
    serials: async () => [serial],
    drives: isOwn,
    // Its calls are waited for: there is no other host to go on with.
    answers: () => true,
    placeOf: () => serial,
    has: isOwn,
    of: own,
    filesOf: async () => (await own()).files,
    opened: () => libvirt,
    // A server says itself that it responds.
    noted: () => {},
    abandon: () => libvirt?.abandon(),
  }
}
