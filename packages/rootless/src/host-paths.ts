/** Where a host keeps its files and sockets. */
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Bytes of the path of a Unix socket. */
const PATH_MAX = 107

export interface HostPaths {
  directory: string
  /** Sockets, and all that ends with the host. */
  runtime: string
  /** A short path of it, for sockets: a link. */
  link: string
  /** A pipe that servers hold open. */
  servers: string
  status: string
  startLock: string
  hostLock: string
  libvirtSocket: string
  northbound: string
  southbound: string
  openvswitch: string
}

/**
 * What others need to know of a host before it runs.
 * @param directory of the host, without symbolic links
 * @throws if the paths of its sockets would be too long
 */
export function rootlessPaths(directory: string) {
  const { northbound, southbound, openvswitch, libvirtSocket } = hostPaths(directory)
  return {
    /** Address of libvirt's daemon. */
    libvirtUri: `qemu:///system?socket=${libvirtSocket}`,
    /** The directory of libvirt's logs. */
    libvirtLogs: join(directory, 'libvirt/log'),
    /** Paths of the sockets of OVN's databases. */
    northbound,
    southbound,
    controllerLog: join(directory, 'logs/ovn-controller.log'),
    /** Path of the socket of Open vSwitch's database. */
    openvswitch,
  }
}

/**
 * The paths of a host.
 * @param directory its directory, without symbolic links
 * @throws if the paths of its sockets would be too long
 */
export function hostPaths(directory: string, env: NodeJS.ProcessEnv = process.env): HostPaths {
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 8)
  const base = env.XDG_RUNTIME_DIR ?? join(env.HOME ?? homedir(), '.cache')
  const runtime = join(directory, 'runtime')
  const link = join(base, 'steading', `host-${name}`)
  const paths = {
    directory,
    runtime,
    link,
    servers: join(runtime, 'servers'),
    status: join(runtime, 'status'),
    startLock: join(directory, 'start.lock'),
    hostLock: join(directory, 'host.lock'),
    libvirtSocket: join(link, 'libvirt/libvirt-sock'),
    northbound: join(link, 'ovn/ovnnb_db.sock'),
    southbound: join(link, 'ovn/ovnsb_db.sock'),
    openvswitch: join(link, 'openvswitch/db.sock'),
  }
  for (const path of [paths.libvirtSocket, paths.northbound, paths.southbound, paths.openvswitch]) {
    const bytes = Buffer.byteLength(path)
    if (bytes > PATH_MAX) {
      throw new Error(
        `the path of a socket would have ${bytes} bytes, and ${PATH_MAX} are possible: ${path}; ` +
          'set XDG_RUNTIME_DIR to a directory with a short path',
      )
    }
  }
  return paths
}
