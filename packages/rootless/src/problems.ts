/** What a machine lacks for a host without root. */
import { access, constants, readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { CommandError, hasCommand, runCommand } from '@steading/commands'

export interface RootlessProblem {
  /** A sentence without a full stop. */
  problem: string
  /** Commands that mend it, mostly for root. */
  remedy: string
  /** Whether no host runs with it; otherwise it only makes the guests slow. */
  prevents: boolean
}

/** Commands with the Debian packages that have them. */
const commands = {
  bash: 'bash',
  ethtool: 'ethtool',
  flock: 'util-linux',
  grep: 'grep',
  ip: 'iproute2',
  libvirtd: 'libvirt-daemon',
  newgidmap: 'uidmap',
  newuidmap: 'uidmap',
  nft: 'nftables',
  nsenter: 'util-linux',
  'ovn-controller': 'ovn-host',
  'ovn-northd': 'ovn-central',
  'ovs-vsctl': 'openvswitch-switch',
  'ovs-vswitchd': 'openvswitch-switch',
  'ovsdb-server': 'openvswitch-switch',
  'ovsdb-tool': 'openvswitch-switch',
  pasta: 'passt',
  'qemu-system-x86_64': 'qemu-system-x86',
  setsid: 'util-linux',
  unshare: 'util-linux',
  virtlogd: 'libvirt-daemon',
} as const

/** Files and directories that are used or covered, with their packages. */
const paths = {
  '/etc/libvirt': 'libvirt-daemon-system',
  '/var/lib/libvirt': 'libvirt-daemon-system',
  '/var/cache/libvirt': 'libvirt-daemon-system',
  '/var/log/libvirt': 'libvirt-daemon-system',
  '/usr/share/ovn/ovn-nb.ovsschema': 'ovn-central',
  '/usr/share/ovn/ovn-sb.ovsschema': 'ovn-central',
  '/usr/share/openvswitch/vswitch.ovsschema': 'openvswitch-switch',
} as const

const TUN = '/dev/net/tun'
const KVM = '/dev/kvm'
/** Users and groups of a range, as `useradd` gives them: libvirt gives QEMU the groups of root. */
const RANGE = { first: 100_000, count: 65_536 }
const TRIAL_MS = 30_000

const able = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  )
const { F_OK, R_OK, W_OK } = constants

/** Reads a file such as `/etc/subuid`: lines of a user's name or number, a first id and a count. */
async function readRanges(path: string) {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').map((line) => {
    const [owner, first, count] = line.split(':')
    return { owner, first: Number(first) || 0, count: Number(count) || 0 }
  })
}

/** Whether a user has a range; the remedy gives them the one behind all others. */
async function rangeProblem(
  path: string,
  option: string,
  { username, uid }: { username: string; uid: number },
): Promise<RootlessProblem | undefined> {
  const ranges = await readRanges(path)
  const own = ranges.find(({ owner }) => owner === username || owner === String(uid))
  if (own && own.count > 0) return undefined
  const start = Math.max(RANGE.first, ...ranges.map(({ first, count }) => first + count))
  return {
    problem: `${path} has no range for the user ${username}`,
    remedy: `usermod ${option} ${start}-${start + RANGE.count - 1} ${username}`,
    prevents: true,
  }
}

/** Packages that are missing, with what is missed of each. */
async function missingPackages(): Promise<Map<string, string[]>> {
  const missing = new Map<string, string[]>()
  const note = (debian: string, name: string) =>
    missing.set(debian, [...(missing.get(debian) ?? []), name])
  for (const [name, debian] of Object.entries(commands)) {
    if (!(await hasCommand(name))) note(debian, name)
  }
  for (const [path, debian] of Object.entries(paths)) {
    if (!(await able(path, F_OK))) note(debian, path)
  }
  return missing
}

const namespaceOptions = ['--user', '--map-root-user', '--map-auto', '--net', '--mount']

/** Whether a user namespace can be made. */
async function namespaceProblem(): Promise<RootlessProblem | undefined> {
  try {
    await runCommand('unshare', [...namespaceOptions, 'true'], { ms: TRIAL_MS })
    return undefined
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const switches = [
      ['/proc/sys/kernel/unprivileged_userns_clone', '0', '1'],
      ['/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1', '0'],
      ['/proc/sys/user/max_user_namespaces', '0', '10000'],
    ] as const
    for (const [path, off, on] of switches) {
      if ((await readFile(path, 'utf8').catch(() => '')).trim() !== off) continue
      const name = path.slice('/proc/sys/'.length).replaceAll('/', '.')
      return {
        problem: `the kernel makes no user namespaces for ordinary users (${name} is ${off})`,
        remedy: `sysctl -w ${name}=${on}`,
        prevents: true,
      }
    }
    return {
      problem: `no user namespace can be made: ${error.message}`,
      remedy: 'permit user namespaces, which some containers do not',
      prevents: true,
    }
  }
}

/** Whether QEMU has KVM by a group of the user only: it runs without the user's groups. */
async function kvmProblem(): Promise<RootlessProblem | undefined> {
  if (!(await able(KVM, R_OK | W_OK))) return undefined
  const trial = ['setpriv', '--clear-groups', 'test', '-w', KVM]
  const isOpen = await runCommand('unshare', [...namespaceOptions, ...trial], {
    ms: TRIAL_MS,
  }).then(
    () => true,
    () => false,
  )
  if (isOpen) return undefined
  return {
    problem: `guests are emulated: the user may open ${KVM} only as a member of its group, and groups stay outside of the namespace`,
    // The default of systemd, which Debian narrows.
    remedy: `echo 'KERNEL=="kvm", MODE="0666"' > /etc/udev/rules.d/99-kvm.rules && chmod 666 ${KVM}`,
    prevents: false,
  }
}

/**
 * Why this user cannot have a host, and why its guests would be slow: each thing that is missing, with
 * the command that brings it. Empty if nothing is.
 */
export async function rootlessProblems(): Promise<RootlessProblem[]> {
  const user = userInfo()
  if (user.uid === 0) {
    return [
      {
        problem: 'root has the OVN and the libvirt of the system',
        remedy: 'start as an ordinary user',
        prevents: true,
      },
    ]
  }
  const problems: RootlessProblem[] = []
  for (const [debian, names] of await missingPackages()) {
    problems.push({
      problem: `${names.join(', ')} not found`,
      remedy: `apt-get install ${debian}`,
      prevents: true,
    })
  }
  for (const [path, option] of [
    ['/etc/subuid', '--add-subuids'],
    ['/etc/subgid', '--add-subgids'],
  ] as const) {
    const problem = await rangeProblem(path, option, user)
    if (problem) problems.push(problem)
  }
  if (!(await able(TUN, F_OK))) {
    problems.push({ problem: `${TUN} not found`, remedy: 'modprobe tun', prevents: true })
  } else if (!(await able(TUN, R_OK | W_OK))) {
    problems.push({
      problem: `the user may not open ${TUN}`,
      remedy: `chmod 666 ${TUN}`,
      prevents: true,
    })
  }
  if (problems.length > 0) return problems
  const found = (await namespaceProblem()) ?? (await kvmProblem())
  return found ? [found] : []
}
