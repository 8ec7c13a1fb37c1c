/** A simulated guest's view of its machine: the data that its programs print. */
import { exactBytes, formatNetwork, GiB, networkAddress, parseNetwork } from '@steading/api/rules'
import { Base64Error, decodeBase64, type MachineSpec } from '@steading/control-plane/ports'
import type { GuestNetwork } from './network.ts'
import { add, type Directory, directory, file } from './files.ts'

export const RELEASE = '6.12.0-simulated'
const OS = 'Steading simulated guest'
const VERSION = '1.0'
/** User with the SSH keys of the instance. */
export const USER = 'steading'

export interface Clock {
  now: () => number
  /** Time at which the machine was up. */
  upSince: () => number
}

export interface Device {
  /** `nvme0n1`. */
  device: string
  name: string
  bytes: number
  readOnly: boolean
  isCd: boolean
  isRoot: boolean
}

export interface Interface {
  name: string
  mac: string
  primary: boolean
  addresses: {
    address: string
    prefixLength: number
    version: 4 | 6
    /** `172.30.0.0/22`. */
    network: string
    gateway: string
  }[]
}

export interface Running {
  pid: number
  user: string
  terminal: string
  command: string
  /** KiB. */
  memory: number
}

export interface System {
  spec: MachineSpec
  hostname: string
  clock: Clock
  network: GuestNetwork
  devices: Device[]
  interfaces: Interface[]
  /** KiB. */
  memory: {
    total: number
    used: number
    free: number
    shared: number
    cached: number
    available: number
  }
  /** Root file system; sizes in bytes. */
  rootFs: { source: string; size: number; used: number }
  processes: Running[]
  /** Kernel boot messages. */
  kernelLog: string[]
  root: Directory
}

const devicesOf = ({ volumes }: MachineSpec): Device[] => {
  const boot = volumes.find((disk) => disk.boot) ?? volumes[0]
  return volumes.map((disk, index) => ({
    device: `nvme${index}n1`,
    name: disk.name,
    bytes: disk.size,
    readOnly: disk.readOnly,
    isCd: disk.cd === true,
    isRoot: disk === boot,
  }))
}

const interfacesOf = ({ interfaces }: MachineSpec): Interface[] =>
  interfaces.map(({ name, mac, primary, addresses }) => ({
    name,
    mac: mac.toLowerCase(),
    primary,
    addresses: addresses.map(({ address, prefixLength, gateway }) => {
      const version = address.includes(':') ? 6 : 4
      const network = parseNetwork(`${address}/${prefixLength}`)
      return {
        address,
        prefixLength,
        gateway,
        version,
        network: network ? formatNetwork(networkAddress(network)) : address,
      }
    }),
  }))

function memoryOf({ memory, ncpus }: MachineSpec): System['memory'] {
  const all = Math.floor(memory / 1024)
  // The kernel reserves some memory.
  const total = all - 16_384 - Math.floor(all / 64)
  const used = 71_320 + 1_536 * ncpus
  const cached = 98_412
  const free = total - used - cached
  return { total, used, free, shared: 872, cached, available: free + Math.floor(cached * 0.9) }
}

function rootFsOf(devices: Device[], memory: System['memory']): System['rootFs'] {
  const root = devices.find(({ isRoot }) => isRoot)
  if (!root) return { source: 'rootfs', size: (memory.total * 1024) / 2, used: 64 * 2 ** 20 }
  const used = Math.min(1.3 * GiB, root.bytes * 0.35)
  return { source: `/dev/${root.device}p1`, size: root.bytes - 2 ** 20, used: Math.floor(used) }
}

/** Gives the disks of a running guest their present sizes; its root file system grows along. */
export function seeDisks(system: System, spec: MachineSpec): void {
  system.devices = devicesOf(spec)
  system.rootFs = rootFsOf(system.devices, system.memory)
}

function processesOf({ ncpus, interfaces }: MachineSpec): Running[] {
  const kernel = ['kthreadd', ...Array.from({ length: ncpus }, (_, cpu) => `ksoftirqd/${cpu}`)]
  const services: [user: string, command: string, memory: number][] = [
    ['root', '/bin/syslogd -n', 1_364],
    ...interfaces.map(({ name }): [string, string, number] => [
      'root',
      `/bin/dhcpcd ${name}`,
      2_212,
    ]),
    ['root', '/bin/sshd -D', 4_980],
    ['chrony', '/bin/chronyd', 2_756],
  ]
  const others = [
    ...kernel.map((name): [string, string, number] => ['root', `[${name}]`, 0]),
    ...services,
  ]
  return [
    { pid: 1, user: 'root', terminal: '?', command: '/bin/init', memory: 3_104 },
    ...others.map(([user, command, memory], index) => ({
      pid: 2 + index + (memory > 0 ? 80 : 0),
      user,
      terminal: '?',
      command,
      memory,
    })),
    { pid: others.length + 120, user: 'root', terminal: 'ttyS0', command: '-sh', memory: 1_840 },
  ]
}

/** Kernel boot messages. */
export function kernelLog(spec: MachineSpec): string[] {
  const stamp = (seconds: number) => `[${seconds.toFixed(6).padStart(12)}]`
  const lines: string[] = []
  let at = 0
  const say = (text: string) => {
    at += 0.037 + text.length / 997
    lines.push(`${stamp(at)} ${text}`)
  }
  say(`Linux version ${RELEASE} (${OS} ${VERSION})`)
  say(`Memory: ${exactBytes(spec.memory)} available`)
  say(`smp: brought up 1 node, ${spec.ncpus} CPUs`)
  for (const [index, disk] of spec.volumes.entries()) {
    say(`nvme${index}: ${disk.name}, ${exactBytes(disk.size)}${disk.readOnly ? ', read-only' : ''}`)
  }
  for (const nic of spec.interfaces) {
    say(
      `${nic.name}: ${nic.mac.toLowerCase()} link up, ${nic.addresses.map(({ address }) => address).join(', ')}`,
    )
  }
  say(`hostname: ${spec.hostname}`)
  say('mounted root filesystem read-only')
  say('reached target multi-user')
  return lines
}

/** Panic messages of a kernel that is told to crash. */
export function panicLog(system: System): string[] {
  const seconds = uptime(system)
  const stamp = `[${seconds.toFixed(6).padStart(12)}]`
  const reason = 'Kernel panic - not syncing: sysrq triggered crash'
  const shell = system.processes.at(-1)!.pid
  return [
    'sysrq: Trigger a crash',
    reason,
    `CPU: 0 PID: ${shell} Comm: sh Not tainted ${RELEASE} #1`,
    `---[ end ${reason} ]---`,
  ].map((text) => `${stamp} ${text}`)
}

/** Seconds since boot. */
export const uptime = ({ clock }: Pick<System, 'clock'>): number =>
  Math.max(0, (clock.now() - clock.upSince()) / 1000)

/** `Sun Nov 22 09:25:31 UTC 2026`. */
export function dateText(time: number): string {
  const [, day, month, date] = /^(\w+), (\w+) (\d+)/.exec(
    new Date(time).toLocaleDateString('en-US', {
      timeZone: 'UTC',
      weekday: 'short',
      month: 'short',
      day: 'numeric',
    }),
  )!
  const iso = new Date(time).toISOString()
  return `${day} ${month} ${date!.padStart(2)} ${iso.slice(11, 19)} UTC ${iso.slice(0, 4)}`
}

function userDataOf(spec: MachineSpec): string {
  try {
    return new TextDecoder().decode(decodeBase64(spec.userData))
  } catch (error) {
    if (error instanceof Base64Error) return spec.userData
    throw error
  }
}

const cpuInfo = ({ ncpus }: MachineSpec): string =>
  Array.from(
    { length: ncpus },
    (_, cpu) =>
      `processor\t: ${cpu}\nmodel name\t: Simulated CPU\ncpu cores\t: ${ncpus}\ncpu MHz\t\t: 3200.000\n\n`,
  ).join('')

const memInfo = ({ memory }: System): string =>
  Object.entries({
    MemTotal: memory.total,
    MemFree: memory.free,
    MemAvailable: memory.available,
    Buffers: 0,
    Cached: memory.cached,
    Shmem: memory.shared,
    SwapTotal: 0,
    SwapFree: 0,
  })
    .map(([name, kib]) => `${`${name}:`.padEnd(15)}${String(kib).padStart(9)} kB\n`)
    .join('')

const passwd = `root:x:0:0:root:/root:/bin/sh
chrony:x:100:100:chrony:/var/lib/chrony:/bin/false
${USER}:x:1000:1000::/home/${USER}:/bin/sh
`

function hosts({ hostname, interfaces }: System): string {
  const own = interfaces.flatMap(({ addresses }) => addresses.map(({ address }) => address))
  return [
    '127.0.0.1 localhost',
    '::1 localhost',
    ...own.map((address) => `${address} ${hostname}`),
    '',
  ].join('\n')
}

/** Lines of `mount` and `/proc/mounts`: source, mount point, type and options. */
export const mounts = ({ rootFs }: System): [string, string, string, string][] => [
  [rootFs.source, '/', rootFs.source === 'rootfs' ? 'rootfs' : 'ext4', 'ro,relatime'],
  ['proc', '/proc', 'proc', 'rw,nosuid,nodev,noexec'],
  ['tmpfs', '/run', 'tmpfs', 'ro,nosuid,nodev'],
]

/** @param programs names of the programs in `/bin` */
function tree(system: System, programs: readonly string[], crash: () => void): Directory {
  const { spec, hostname } = system
  const root = directory()
  const put = (
    path: string,
    content: string | (() => string),
    owned?: { mode?: number; owner?: string },
  ) => add(root, path, file(content, owned))
  for (const program of programs) {
    put(`/bin/${program}`, 'This program is simulated.\n', { mode: 0o755 })
  }
  for (const [path, mode] of [
    ['/root', 0o700],
    ['/run', 0o755],
    ['/tmp', 0o1777],
  ] as const) {
    add(root, path, directory(mode))
  }
  add(root, '/dev/null', {
    kind: 'character device',
    mode: 0o666,
    owner: 'root',
    read: () => '',
    write: () => {},
  })
  add(root, '/dev/ttyS0', { kind: 'character device', mode: 0o600, owner: 'root', read: () => '' })
  for (const { device, isRoot } of system.devices) {
    for (const name of isRoot ? [device, `${device}p1`] : [device]) {
      add(root, `/dev/${name}`, {
        kind: 'block device',
        mode: 0o660,
        owner: 'root',
        read: () => '',
      })
    }
  }
  put('/etc/hostname', `${hostname}\n`)
  put('/etc/hosts', hosts(system))
  put(
    '/etc/os-release',
    `NAME="${OS}"\nVERSION="${VERSION}"\nID=steading-guest\nVERSION_ID=${VERSION}\nPRETTY_NAME="${OS} ${VERSION}"\n`,
  )
  put('/etc/passwd', passwd)
  put('/etc/group', `root:x:0:\nchrony:x:100:\n${USER}:x:1000:\n`)
  put('/etc/motd', `Welcome to ${hostname}.\n`)
  const gateways = system.interfaces.flatMap(({ addresses }) =>
    addresses.map(({ gateway }) => gateway),
  )
  put('/etc/resolv.conf', gateways.map((gateway) => `nameserver ${gateway}\n`).join(''))
  put(
    '/etc/fstab',
    mounts(system)
      .map((mount) => `${mount.join(' ')} 0 0\n`)
      .join(''),
  )
  const home = `/home/${USER}`
  add(root, home, directory(0o755, USER))
  add(root, `${home}/.ssh`, directory(0o700, USER))
  const keys = spec.sshPublicKeys ?? []
  put(`${home}/.ssh/authorized_keys`, keys.map((key) => `${key.trimEnd()}\n`).join(''), {
    mode: 0o600,
    owner: USER,
  })
  put('/proc/cpuinfo', () => cpuInfo(spec), { mode: 0o444 })
  put('/proc/meminfo', () => memInfo(system), { mode: 0o444 })
  put('/proc/cmdline', `root=${system.rootFs.source} ro console=ttyS0,115200\n`, { mode: 0o444 })
  put('/proc/loadavg', () => `0.00 0.00 0.00 1/${system.processes.length} 999\n`, { mode: 0o444 })
  put(
    '/proc/mounts',
    mounts(system)
      .map((mount) => `${mount.join(' ')} 0 0\n`)
      .join(''),
    {
      mode: 0o444,
    },
  )
  put(
    '/proc/uptime',
    () => `${uptime(system).toFixed(2)} ${(uptime(system) * spec.ncpus).toFixed(2)}\n`,
    { mode: 0o444 },
  )
  put('/proc/version', `Linux version ${RELEASE} (${OS} ${VERSION})\n`, { mode: 0o444 })
  add(root, '/proc/sysrq-trigger', {
    kind: 'file',
    mode: 0o200,
    owner: 'root',
    read: () => '',
    write: (text) => text.startsWith('c') && crash(),
  })
  for (const { name, mac } of system.interfaces) put(`/sys/class/net/${name}/address`, `${mac}\n`)
  put('/var/lib/cloud/instance/user-data.txt', userDataOf(spec), { mode: 0o600 })
  put(
    '/var/lib/cloud/instance/meta-data',
    `instance-name: ${spec.name}\nlocal-hostname: ${hostname}\n`,
  )
  put('/var/log/dmesg', system.kernelLog.map((line) => `${line}\n`).join(''))
  return root
}

export interface SystemParts {
  clock: Clock
  network: GuestNetwork
  programs: readonly string[]
  /** Makes the kernel of the guest panic. */
  crash: () => void
}

export function createSystem(
  spec: MachineSpec,
  { clock, network, programs, crash }: SystemParts,
): System {
  const devices = devicesOf(spec)
  const memory = memoryOf(spec)
  const system: System = {
    spec,
    hostname: spec.hostname,
    clock,
    network,
    devices,
    interfaces: interfacesOf(spec),
    memory,
    rootFs: rootFsOf(devices, memory),
    processes: processesOf(spec),
    kernelLog: kernelLog(spec),
    root: directory(),
  }
  system.root = tree(system, programs, crash)
  return system
}
