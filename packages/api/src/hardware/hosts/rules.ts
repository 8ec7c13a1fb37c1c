/** Hosts that run machines by libvirt, as operators see them. */

import { MiB } from '../../rules/bytes.ts'
import { errors, type ErrorTemplate } from '../../rules/errors.ts'
import { clockShift, isClockApart } from '../../maintenance/health/clocks.ts'

/** How guests run: on the processor itself, or emulated, which is many times slower. */
export const accelerators = ['kvm', 'none'] as const
export type Accelerator = (typeof accelerators)[number]

/**
 * Bytes that must be free on the disk of a host, beside the space that is kept free, before a guest
 * continues that was paused for lack of room.
 */
export const RESUME_FREE = 64 * MiB

/** Commands that remove a domain, for an operator who has found that nobody needs it. */
export const removeDomain = (uri: string, uuid: string): string[] => [
  `virsh -c ${uri} destroy ${uuid}`,
  `virsh -c ${uri} undefine --managed-save --snapshots-metadata --nvram ${uuid}`,
]

/**
 * The checks of a host before machines run there, in this order. After one that failed, the host is
 * not looked at further.
 */
export const hostCheckNames = {
  connection: 'Connection',
  identity: 'Identity',
  software: 'Software',
  clock: 'Clock',
  storage: 'Storage',
  accelerator: 'Accelerator',
  networks: 'Networks',
  moves: 'Moves',
  leases: 'Leases',
} as const
export type HostCheck = keyof typeof hostCheckNames
export const hostChecks = Object.keys(hostCheckNames) as [HostCheck, ...HostCheck[]]

/** A host with a warning is added; one with a failure is not. */
export const hostCheckOutcomes = ['passed', 'warning', 'failed'] as const
export type HostCheckOutcome = (typeof hostCheckOutcomes)[number]

export interface HostFinding {
  check: HostCheck
  outcome: HostCheckOutcome
  /** The observation, as a sentence without a full stop. */
  detail: string
  /** The advice to operators; null for a check that passed. */
  remedy: string | null
}

/** The oldest libvirt and QEMU that are known to work. */
export const HOST_LIBVIRT_MIN = '9.0.0'
export const HOST_QEMU_MIN = '7.2.0'

const problem =
  <Facts>(
    check: HostCheck,
    outcome: 'warning' | 'failed',
    text: (facts: Facts) => { detail: string; remedy: string },
  ) =>
  (facts: Facts): HostFinding => ({ check, outcome, ...text(facts) })

/** Everything that a check of a host may find wrong. */
export const hostProblems = {
  unreachable: problem<{ reason: string }>('connection', 'failed', ({ reason }) => ({
    detail: `Libvirt does not answer: ${reason}`,
    remedy:
      'Start libvirt on the host, and open its address to this server: by SSH, the user of the server needs a key that the host accepts, and the host key in known_hosts',
  })),
  same_host: problem<{ address: string }>('identity', 'failed', ({ address }) => ({
    detail: `It is the host at ${address}`,
    remedy:
      'If that host has moved, change its address instead of adding another one. If they are two machines, give each its own host_uuid in /etc/libvirt/libvirtd.conf',
  })),
  /** An address that a host is to get leads to another one. */
  other_host: problem<{ found: string; expected: string }>(
    'identity',
    'failed',
    ({ found, expected }) => ({
      detail: `It is the host with serial number ${found}, not ${expected}`,
      remedy: `Enter an address of ${expected}, or add the other host by itself`,
    }),
  ),
  old_software: problem<{ name: string; found: string; needed: string }>(
    'software',
    'failed',
    ({ name, found, needed }) => ({
      detail: `${name} is ${found}`,
      remedy: `Install ${name} ${needed} or newer`,
    }),
  ),
  other_architecture: problem<{ found: string; needed: string }>(
    'software',
    'failed',
    ({ found, needed }) => ({
      detail: `Its processor is ${found}`,
      remedy: `Choose a host with a processor of ${needed}: images are made for it`,
    }),
  ),
  no_guests: problem<{ reason: string }>('accelerator', 'failed', ({ reason }) => ({
    detail: `A trial guest does not run: ${reason}`,
    remedy: 'Install the packages qemu-system-x86 and libvirt-daemon-driver-qemu on the host',
  })),
  emulated: problem<object>('accelerator', 'warning', () => ({
    detail: 'Guests run without KVM, which is many times slower',
    remedy: 'Switch on virtualization in the firmware of the host, and load its module kvm',
  })),
  clock_apart: problem<{ seconds: number }>('clock', 'failed', ({ seconds }) => ({
    detail: `Its clock is ${clockShift(seconds)}`,
    remedy: 'Synchronize the clocks of the host and of the server or its database by NTP',
  })),
  no_storage: problem<{ directory: string; reason: string }>(
    'storage',
    'failed',
    ({ directory, reason }) => ({
      detail: `It cannot use the volumes in ${directory}: ${reason}`,
      remedy: `Mount the shared file system at ${directory} on the host`,
    }),
  ),
  other_storage: problem<{ directory: string }>('storage', 'failed', ({ directory }) => ({
    detail: `Its ${directory} is another directory than that of this server`,
    remedy: `Mount the same shared file system at ${directory} on the host`,
  })),
  silent_networks: problem<{ reason: string }>('networks', 'failed', ({ reason }) => ({
    detail: `OVN's databases do not answer the server: ${reason}`,
    remedy: 'Start them, or correct --ovn-northbound of the server',
  })),
  no_chassis: problem<{ name: string }>('networks', 'failed', ({ name }) => ({
    detail: `OVN has no chassis with the host name ${name}`,
    remedy:
      'Start ovn-controller on the host, with the southbound database and its tunnel address in external_ids of Open vSwitch',
  })),
  local_tunnels: problem<{ name: string; address: string }>(
    'networks',
    'failed',
    ({ name, address }) => ({
      detail: `Tunnels of OVN to ${name} lead to ${address}, which each host takes for itself`,
      remedy:
        'Give Open vSwitch an address that the other hosts reach: ovs-vsctl set open . external_ids:ovn-encap-ip=ADDRESS',
    }),
  ),
  plain_moves: problem<object>('moves', 'warning', () => ({
    detail:
      'Moves to and from it are not encrypted: whoever reads the network of the hosts reads the memory of moving instances',
    remedy:
      'Give all hosts certificates in /etc/pki/qemu, and start all servers with --encrypt-moves',
  })),
  /** Instances could not leave such a host, so it is not added. */
  no_certificate: problem<{ reason: string }>('moves', 'failed', ({ reason }) => ({
    detail: `It cannot encrypt moves: ${reason}`,
    remedy:
      'Give it a key and a certificate that QEMU may read in /etc/pki/qemu, of the same authority as those of the other hosts',
  })),
  /** The host runs instances as well as any other; only its leases prove less than they should. */
  no_watchdog: problem<object>('leases', 'warning', () => ({
    detail:
      'Its sanlock has no watchdog: if sanlock is killed or hangs, guests run on after their leases have run out, and may start on another host as well',
    remedy:
      'Load the module of its watchdog, set enabled=1 in /etc/default/wdmd and sanlock_opts="" in /etc/default/sanlock, and restart both in a maintenance of the host',
  })),
  unknown_watchdog: problem<{ reason: string }>('leases', 'warning', ({ reason }) => ({
    detail: `Whether its sanlock has a watchdog could not be found out: ${reason}`,
    remedy:
      'Start sanlock on the host, and reach it by qemu+ssh as root; or look there yourself whether sanlock client status -D says use_watchdog=1',
  })),
} as const

export const passedCheck = (check: HostCheck, detail: string): HostFinding => ({
  check,
  outcome: 'passed',
  detail,
  remedy: null,
})

/** @param seconds by which the clock of the host is ahead of that of the server */
export const clockFinding = (seconds: number): HostFinding =>
  isClockApart(seconds)
    ? hostProblems.clock_apart({ seconds })
    : passedCheck('clock', 'Its clock agrees with that of the server')

/** Time between two looks at the clock of a host in service. */
export const HOST_CLOCK_LOOK_MS = 5 * 60_000

/** Findings up to a check that failed after all: what follows it does not count. */
export const failedBy = (findings: readonly HostFinding[], failure: HostFinding): HostFinding[] => [
  ...findings.filter(({ check }) => hostChecks.indexOf(check) < hostChecks.indexOf(failure.check)),
  failure,
]

/**
 * `checking`: it is being looked at for the first time, or again after a refusal. `joining`: it
 * passed, and its sled is being added. `expunged`: its sled was expunged. `leaving`: it is being
 * removed.
 */
export const hostStates = [
  'checking',
  'refused',
  'joining',
  'in_service',
  'expunged',
  'leaving',
] as const
export type HostState = (typeof hostStates)[number]

/** The consequence for instances on a host that does not answer; a sentence without a full stop. */
export const hostOutOfReach = 'Its instances cannot be started, stopped or changed'

export const hostMessages = {
  taken: (address: string) => `${address} is already the address of a host`,
  addedWithOthers:
    'its sled is being added together with others: wait until that has ended, or give it up',
} as const

const isChecking = 'It is being checked'
const isJoining = 'Its sled is being added'
const isLeaving = 'It is being removed'

/** Reasons against actions on a host; undefined for those that are possible. */
const cannot = {
  check: {
    checking: isChecking,
    refused: undefined,
    joining: isJoining,
    in_service: undefined,
    expunged: undefined,
    leaving: isLeaving,
  },
  update: {
    checking: undefined,
    refused: undefined,
    joining: isJoining,
    in_service: undefined,
    expunged: 'Its sled was expunged: remove the host, and add it again with the new address',
    leaving: isLeaving,
  },
  delete: {
    checking: undefined,
    refused: undefined,
    joining: undefined,
    in_service: 'Its sled is in service: expunge the sled first',
    expunged: undefined,
    leaving: isLeaving,
  },
} as const satisfies Record<string, Record<HostState, string | undefined>>
export type HostAction = keyof typeof cannot

/** Why an action on a host is not possible now; undefined if it is. */
export function hostCannot(
  action: HostAction,
  { state, sledId }: { state: HostState; sledId: string | null },
): string | undefined {
  if (action === 'delete' && state === 'expunged' && sledId !== null) {
    return 'Something is left on its expunged sled: wait until it is decommissioned'
  }
  return cannot[action][state]
}

/** The same as an error. */
export function hostRefusal(...of: Parameters<typeof hostCannot>): ErrorTemplate | undefined {
  const reason = hostCannot(...of)
  return reason === undefined ? undefined : errors.conflict(reason)
}

/** Parameters of an address: paths of files on the server. */
const ADDRESS_PARAMETERS = ['socket', 'keyfile', 'pkipath'] as const
const HOST_NAME = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-fA-F:.]+\])$/
const USER_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/
export const HOST_ADDRESS_MAX = 500

/**
 * Why a text is no address of a host's libvirt; undefined for one that is. Libvirt's other
 * transports and parameters would run commands of the caller's choice on the server.
 */
export function hostAddressProblem(address: string): string | undefined {
  if (address.length > HOST_ADDRESS_MAX) return `It has more than ${HOST_ADDRESS_MAX} characters`
  const found =
    /^qemu(?:\+(?<transport>[a-z]+))?:\/\/(?:(?<user>[^@/?#]*)@)?(?<host>[^/?#@]*?)(?::(?<port>\d{1,5}))?\/system(?:\?(?<query>[^#]*))?$/.exec(
      address,
    )?.groups
  if (!found) {
    return 'It has to be like qemu+ssh://user@host/system, qemu+tls://host/system or qemu:///system'
  }
  const { transport = 'unix', user, host, port, query } = found
  const isRemote = transport === 'ssh' || transport === 'tls'
  if (!isRemote && transport !== 'unix')
    return `The transport ${transport} is not possible: use ssh or tls`
  if (isRemote && !HOST_NAME.test(host!)) return 'It needs the name or the IP address of the host'
  if (!isRemote && (host !== '' || user !== undefined || port !== undefined)) {
    return 'An address on the server itself names no host'
  }
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    return `The port ${port} is not possible`
  if (user !== undefined && (transport !== 'ssh' || !USER_NAME.test(user))) {
    return transport === 'ssh'
      ? 'The name of the user is not possible'
      : 'Only an address by ssh names a user'
  }
  // Taken literally: libvirt separates and decodes parameters in its own way.
  for (const parameter of query ? query.split('&') : []) {
    const [name, ...value] = parameter.split('=')
    if (!(ADDRESS_PARAMETERS as readonly string[]).includes(name!))
      return `The parameter ${name} is not possible`
    if (!/^\/[\w./@+-]*$/.test(value.join('=')))
      return `The parameter ${name} has to be an absolute path`
  }
  return undefined
}

/** The name of a host: the host name or the IP address in its address. */
export function hostName(address: string): string {
  const authority = /^[^:]*:\/\/(?:[^@/?#]*@)?(\[[^\]]*\]|[^/:?#]*)/.exec(address)?.[1] ?? ''
  return authority.replaceAll(/[[\]]/g, '') || 'localhost'
}
