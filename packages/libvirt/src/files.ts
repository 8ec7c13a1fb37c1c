/** The files and sockets of machines on this host. */
import { chmod, chown, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ifThere } from '@steading/files'
import type { MachinePaths } from './domain-xml.ts'
import { domainName } from './domain-names.ts'
import { type FileCalls, fileCalls } from './file-systems/file-calls.ts'
import { runtimeDirectory, socketNames, socketsOf } from './sockets.ts'

/** Has the id of a data directory. */
export const OWNER_FILE = 'owner'
/** The CD of a machine. */
export const SEED_FILE = 'seed.iso'

export interface MachineFiles {
  /** Identifies the data directory. */
  owner: string
  /** Undefined if QEMU runs as our user. */
  qemuUser: QemuUser | undefined
  /** A directory of this host, not of one data directory, in which QEMU may read. */
  shared: string
  of: (machineId: string) => MachinePaths
  /** Creates the directories of a machine. */
  prepare: (machineId: string) => Promise<void>
  remove: (machineId: string) => Promise<void>
  /**
   * Calls to the files of machines; with hosts that were added, they fail with an `UnusablePoolError`
   * if their file system is silent.
   */
  calls: FileCalls
  /** Whether changes of the files are reported here: they are on the disk of this host. */
  areReported: boolean
}

/** The id of a data directory, made when it is first used. */
async function ownerOf(directory: string, calls: FileCalls = fileCalls): Promise<string> {
  const path = join(directory, OWNER_FILE)
  await calls.writeNew(path, crypto.randomUUID()).catch(ifThere(undefined))
  return new TextDecoder().decode(await calls.readAll(path))
}

/** The user that QEMU runs as, if it is another one than ours. */
export interface QemuUser {
  uid: number
  gid: number
}

/**
 * The user of QEMU in libvirt's description of a host; undefined if it is ours. Root is ours as well:
 * either we are root, or it is that of a user namespace of ours, which is our user here.
 */
export function qemuUser(capabilities: string): QemuUser | undefined {
  const label = /<baselabel type='qemu'>\+(\d+):\+(\d+)<\/baselabel>/.exec(capabilities)
  return label && label[1] !== '0' ? { uid: Number(label[1]), gid: Number(label[2]) } : undefined
}

/** Where QEMU may make sockets on each host with Debian's libvirt of the system. */
const HOST_SOCKETS = '/var/lib/libvirt/qemu'

/**
 * Opens the directories of the engine that all hosts see. Sockets are in a directory of each host.
 * @param directory the user of QEMU on the hosts may pass through it
 */
export async function openSharedFiles(
  directory: string,
  volumes: string,
  calls: FileCalls,
): Promise<MachineFiles> {
  const make = async (path: string): Promise<void> => {
    await calls.makeDirectories(path)
    await calls.setMode(path, 0o711)
  }
  await make(directory)
  await make(volumes)
  const machines = join(directory, 'machines')
  await make(machines)
  // sanlock of each host passes through it.
  await make(join(directory, 'leases'))
  const shared = join(directory, 'trials')
  await make(shared)
  return {
    owner: await ownerOf(directory, calls),
    calls,
    areReported: false,
    qemuUser: undefined,
    shared,
    of(id) {
      const lasting = join(machines, id)
      const socket = (name: string) => join(HOST_SOCKETS, `${domainName(id)}.${name}`)
      return {
        ...lastingFiles(lasting),
        serialSocket: socket(socketNames.serial),
        vncSocket: socket(socketNames.vnc),
        agentSocket: socket(socketNames.agent),
      }
    },
    prepare: (id) => make(join(machines, id)),
    remove: (id) => calls.remove(join(machines, id)),
  }
}

/** The files of a machine that outlive its domain. */
const lastingFiles = (lasting: string): Pick<MachinePaths, 'seed' | 'nvram' | 'log'> => ({
  seed: join(lasting, SEED_FILE),
  nvram: join(lasting, 'uefi-variables'),
  log: join(lasting, 'console.log'),
})

/**
 * Opens the directories of the engine.
 * @param directory for everything that outlives a restart of the host; another user of QEMU may
 *   pass through it and the directory around it
 * @param volumes the directory of the volumes
 */
export async function openFiles(
  directory: string,
  volumes: string,
  user: QemuUser | undefined,
): Promise<MachineFiles> {
  /** Others may pass through, but not list it. */
  const make = async (path: string): Promise<void> => {
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (user) await chmod(path, 0o711)
  }
  if (user) await chmod(dirname(directory), 0o711)
  await make(directory)
  await make(volumes)
  const owner = await ownerOf(directory)
  const runtime = socketsOf(owner)
  const machines = join(directory, 'machines')
  const folders = (id: string) => ({ lasting: join(machines, id), sockets: join(runtime, id) })
  await make(machines)
  await make(runtimeDirectory())
  await make(runtime)
  return {
    owner,
    calls: fileCalls,
    areReported: true,
    qemuUser: user,
    shared: runtimeDirectory(),
    of(id) {
      const { lasting, sockets } = folders(id)
      return {
        ...lastingFiles(lasting),
        serialSocket: join(sockets, socketNames.serial),
        vncSocket: join(sockets, socketNames.vnc),
        agentSocket: join(sockets, socketNames.agent),
      }
    },
    async prepare(id) {
      const { lasting, sockets } = folders(id)
      await make(lasting)
      await make(runtime)
      await mkdir(sockets, { recursive: true, mode: 0o700 })
      // QEMU makes the socket of the screen itself.
      if (user) await chown(sockets, user.uid, user.gid)
    },
    async remove(id) {
      for (const folder of Object.values(folders(id))) {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}
