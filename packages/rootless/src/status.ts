/** What the supervisor of a host says about it. */
import { readFile } from 'node:fs/promises'
import { runCommand } from '@steading/commands'
import { ifMissing } from '@steading/files'
import { hostPaths } from './host-paths.ts'

/** The processes of a host. */
export const daemonNames = [
  'ovsdb-northbound',
  'ovsdb-southbound',
  'ovsdb-openvswitch',
  'ovs-vswitchd',
  'ovn-northd',
  'ovn-controller',
  'virtlogd',
  'libvirtd',
  'pasta',
] as const
export type DaemonName = (typeof daemonNames)[number]

export interface DaemonHealth {
  name: DaemonName
  /** `waiting` until it is started again; `failed` if it has often ended, and is tried once a minute. */
  state: 'running' | 'waiting' | 'failed'
  /** Undefined unless it runs. */
  pid?: number
  /** Of its state. */
  since: Date
  restarts: number
  /** Why it has ended the last time, with the end of its log. */
  reason?: string
}

export interface HostStatus {
  /** Another one after each start of the namespaces, which then have nothing of before. */
  id: string
  /** A process in the namespaces. */
  holder: number
  supervisor: number
  daemons: DaemonHealth[]
}

/** Reads the lines of the supervisor. Unknown ones are of a later version. */
export function parseStatus(text: string): HostStatus {
  const status: HostStatus = { id: '', holder: 0, supervisor: 0, daemons: [] }
  for (const line of text.split('\n')) {
    const [key, first = '', state, pid, , since, restarts, reason] = line.split('\t')
    if (key === 'id') status.id = first
    else if (key === 'holder' || key === 'supervisor') status[key] = Number(first)
    else if (key === 'daemon' && daemonNames.includes(first as DaemonName)) {
      status.daemons.push({
        name: first as DaemonName,
        state: state as DaemonHealth['state'],
        ...(pid === '-' ? {} : { pid: Number(pid) }),
        since: new Date(Number(since) * 1000),
        restarts: Number(restarts),
        ...(reason ? { reason } : {}),
      })
    }
  }
  return status
}

/** Milliseconds to look whether a file is locked. */
const LOCK_MS = 30_000

/** @param hostLock path of the file that a host locks as long as it runs */
export const isRunning = (hostLock: string): Promise<boolean> =>
  runCommand('flock', ['--nonblock', '--shared', hostLock, 'true'], { ms: LOCK_MS }).then(
    () => false,
    () => true,
  )

/** The status in a file; undefined if no host runs. */
export async function readStatus(path: string): Promise<HostStatus | undefined> {
  const text = await readFile(path, 'utf8').catch(ifMissing(undefined))
  return text === undefined ? undefined : parseStatus(text)
}

/** The daemons of the host of a directory, which runs or has been killed; none of one that has ended. */
export const rootlessDaemons = async (directory: string): Promise<DaemonHealth[]> =>
  (await readStatus(hostPaths(directory).status))?.daemons ?? []
