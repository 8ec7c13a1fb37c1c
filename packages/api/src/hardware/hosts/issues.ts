import { GiB } from '../../rules/bytes.ts'
import { inPath, issueRule } from '../../observability/issues/rules.ts'
import { clockDifference, HOST_CLOCK_APART_EFFECT } from '../../maintenance/health/clocks.ts'
import { hostOutOfReach } from './rules.ts'

interface OrphanedDomain {
  name: string
  /** Serial number of the host. */
  host: string
  /** Null for a host that is not in use. */
  sledId: string | null
}

/** Share of a file system in use from which it counts as nearly full, if little is free. */
export const DISK_NEARLY_FULL = 0.9
/** Bytes; with more free space, a large file system is not nearly full. */
export const DISK_PLENTY_FREE = 32 * GiB

interface Filling {
  /** Directory that the file system has. */
  path: string
  /** From 0 to 1. */
  share: number
  /** Bytes. */
  free: number
}

const filling = ({ path, share, free }: Filling): string =>
  `with ${path} is ${Math.floor(share * 100)}% full: ${inGiB(free)} GiB are free`

const inGiB = (size: number): string => (size / GiB).toFixed(1)

export const hostIssues = {
  data_disk_nearly_full: issueRule<Filling>({
    severity: 'critical',
    // Space is used without an event.
    about: [],
    sentence: (disk) => `The disk of the server ${filling(disk)}`,
    ended: ({ path }) => `The disk of the server with ${path} is no longer nearly full`,
    path: () => '/system/issues',
  }),
  host_disk_nearly_full: issueRule<Filling & { host: string; sledId: string }>({
    severity: 'critical',
    about: [],
    sentence: ({ host, ...disk }) => `The disk of host ${host} ${filling(disk)}`,
    ended: ({ host, path }) => `The disk of host ${host} with ${path} is no longer nearly full`,
    path: ({ sledId }) => `/system/inventory/sleds/${inPath(sledId)}/instances`,
  }),
  host_silent: issueRule<{ host: string; sledId: string }>({
    severity: 'critical',
    // A call that does not end emits no event.
    about: [],
    sentence: ({ host }) =>
      `Calls to libvirt on host ${host} do not end: its instances run on, and cannot be started, stopped or changed. Restart libvirt there`,
    ended: ({ host }) => `Calls to libvirt on host ${host} no longer hang`,
    path: ({ sledId }) => `/system/inventory/sleds/${inPath(sledId)}/instances`,
  }),
  host_unreachable: issueRule<{ id: string; host: string; reason: string }>({
    severity: 'critical',
    about: ['host', 'sled'],
    sentence: ({ host, reason }) => `Host ${host} is out of reach: ${reason}. ${hostOutOfReach}`,
    ended: ({ host }) => `Host ${host} is within reach again`,
    path: ({ id }) => `/system/inventory/hosts/${inPath(id)}`,
  }),
  host_clock_apart: issueRule<{ id: string; host: string; seconds: number }>({
    severity: 'warning',
    about: ['host'],
    sentence: ({ host, seconds }) =>
      `The clock of host ${host} is ${clockDifference(seconds)}: ${HOST_CLOCK_APART_EFFECT}`,
    ended: ({ host }) => `The clock of host ${host} is no longer known to be wrong`,
    path: ({ id }) => `/system/inventory/hosts/${inPath(id)}`,
    next: 'Synchronize it by NTP',
  }),
  domain_without_instance: issueRule<OrphanedDomain>({
    severity: 'warning',
    // The engine finds it in a scan, without an event.
    about: [],
    sentence: ({ name, host }) => `No instance owns domain ${name} on host ${host}`,
    ended: ({ name, host }) =>
      `Domain ${name} on host ${host} is gone, or an instance owns it again`,
    path: ({ sledId }) =>
      sledId === null
        ? '/system/inventory/sleds'
        : `/system/inventory/sleds/${inPath(sledId)}/instances`,
    next: 'See how to remove it',
  }),
}
