/** Programs that show the machine, or stop it. */
import { wait } from './network-programs.ts'
import { optionsOf, type Process, type Program, type Run } from './program.ts'
import { columns, human } from './sizes.ts'
import { dateText, type Interface, mounts, RELEASE, uptime } from './system.ts'
import { environment } from './environment.ts'

function* uname({ args, system }: Process) {
  const { options } = optionsOf(args)
  const parts: [string, string][] = [
    ['s', 'Linux'],
    ['n', system.hostname],
    ['r', RELEASE],
    ['v', '#1 SMP'],
    ['m', 'x86_64'],
    ['o', 'GNU/Linux'],
  ]
  const wanted = parts.filter(
    ([letter]) => options.has('a') || options.has(letter) || (options.size === 0 && letter === 's'),
  )
  yield `${wanted.map(([, value]) => value).join(' ')}\n`
}

function* hostname({ args, system }: Process) {
  const addresses = system.interfaces.flatMap((nic) => nic.addresses.map(({ address }) => address))
  yield `${args[0] === '-I' ? addresses.join(' ') : system.hostname}\n`
}

const two = (value: number) => String(value).padStart(2, '0')

function* date({ args, system }: Process) {
  const now = system.clock.now()
  const format = args.find((arg) => arg.startsWith('+'))
  if (!format) {
    yield `${dateText(now)}\n`
    return
  }
  const at = new Date(now)
  const known: Record<string, string> = {
    Y: String(at.getUTCFullYear()),
    m: two(at.getUTCMonth() + 1),
    d: two(at.getUTCDate()),
    H: two(at.getUTCHours()),
    M: two(at.getUTCMinutes()),
    S: two(at.getUTCSeconds()),
    F: at.toISOString().slice(0, 10),
    T: at.toISOString().slice(11, 19),
    s: String(Math.floor(now / 1000)),
    Z: 'UTC',
    '%': '%',
  }
  yield `${format.slice(1).replaceAll(/%(.)/g, (whole, letter: string) => known[letter] ?? whole)}\n`
}

function* uptimeProgram({ system }: Process) {
  const seconds = Math.floor(uptime(system))
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor(seconds / 3600) % 24
  const minutes = Math.floor(seconds / 60) % 60
  const time = hours > 0 || days > 0 ? `${hours}:${two(minutes)}` : `${minutes} min`
  const up = days > 0 ? `${days} ${days === 1 ? 'day' : 'days'}, ${time}` : time
  const now = new Date(system.clock.now()).toISOString().slice(11, 19)
  yield ` ${now} up ${up},  1 user,  load average: 0.00, 0.00, 0.00\n`
}

function* free({ args, system: { memory } }: Process) {
  const { options } = optionsOf(args)
  const units: [string, number][] = [
    ['b', 1 / 1024],
    ['m', 1024],
    ['g', 1024 * 1024],
  ]
  const [, unit] = units.find(([letter]) => options.has(letter)) ?? ['k', 1]
  const show = (kib: number) =>
    options.has('h') ? human(kib * 1024) : String(Math.floor(kib / unit))
  const { total, used, free: unused, shared, cached, available } = memory
  yield columns(
    [
      ['', 'total', 'used', 'free', 'shared', 'buff/cache', 'available'],
      ['Mem:', ...[total, used, unused, shared, cached, available].map(show)],
      ['Swap:', ...[0, 0, 0].map(show)],
    ].map(([first, ...rest]) => [first!, ...rest.map((cell) => cell.padStart(11))]),
    [1, 2, 3, 4, 5, 6],
  )
}

function* df({ args, system }: Process) {
  const { options } = optionsOf(args)
  const { rootFs, memory } = system
  const rows: [source: string, size: number, used: number, on: string][] = [
    [rootFs.source, rootFs.size, rootFs.used, '/'],
    ['tmpfs', (memory.total * 1024) / 10, memory.shared * 1024, '/run'],
  ]
  const show = (bytes: number) =>
    options.has('h') ? human(bytes) : String(Math.ceil(bytes / 1024))
  yield columns(
    [
      [
        'Filesystem',
        options.has('h') ? 'Size' : '1K-blocks',
        'Used',
        'Available',
        'Use%',
        'Mounted on',
      ],
      ...rows.map(([source, size, used, on]) => [
        source,
        show(size),
        show(used),
        show(size - used),
        `${Math.ceil((used / size) * 100)}%`,
        on,
      ]),
    ],
    [1, 2, 3, 4],
  )
}

function* lsblk({ system: { devices, rootFs } }: Process) {
  const rows = devices.flatMap(({ device, name, bytes, readOnly, isCd, isRoot }, index) => {
    const common = (minor: number, type: string, size: number) => [
      `259:${index * 2 + minor}`,
      human(size),
      readOnly ? '1' : '0',
      type,
    ]
    const disk = [device, ...common(0, isCd ? 'rom' : 'disk', bytes), '', name]
    return isRoot ? [disk, [`└─${device}p1`, ...common(1, 'part', rootFs.size), '/', '']] : [disk]
  })
  yield columns([['NAME', 'MAJ:MIN', 'SIZE', 'RO', 'TYPE', 'MOUNTPOINT', 'DISK'], ...rows], [2, 3])
}

function* mount({ system }: Process) {
  for (const [source, on, kind, options] of mounts(system)) {
    yield `${source} on ${on} type ${kind} (${options})\n`
  }
}

function* ps({ args, system, session }: Process) {
  const flags = args.join('')
  const all = /[aeAx]/.test(flags)
  const own = {
    pid: system.processes.at(-1)!.pid + 1 + session.history.length,
    user: 'root',
    terminal: 'ttyS0',
    command: ['ps', ...args].join(' '),
    memory: 1_512,
  }
  const shown = [...system.processes, own].filter(({ terminal }) => all || terminal !== '?')
  yield columns(
    [
      ['PID', 'USER', 'TTY', 'RSS', 'COMMAND'],
      ...shown.map(({ pid, user, terminal, memory, command }) => [
        String(pid),
        user,
        terminal,
        String(memory),
        command,
      ]),
    ],
    [0, 3],
  )
}

function* dmesg({ system }: Process) {
  for (const line of system.kernelLog) yield `${line}\n`
}

const LOOPBACK: Interface = {
  name: 'lo',
  mac: '00:00:00:00:00:00',
  primary: false,
  addresses: [
    { address: '127.0.0.1', prefixLength: 8, version: 4, network: '127.0.0.0/8', gateway: '' },
    { address: '::1', prefixLength: 128, version: 6, network: '::1/128', gateway: '' },
  ],
}

function ipLink({ name, mac }: Interface, index: number): string {
  const loopback = name === 'lo'
  const flags = loopback ? 'LOOPBACK,UP,LOWER_UP' : 'BROADCAST,MULTICAST,UP,LOWER_UP'
  const settings = loopback ? 'mtu 65536 state UNKNOWN' : 'mtu 1500 state UP'
  const kind = loopback ? 'loopback' : 'ether'
  const everyone = loopback ? mac : 'ff:ff:ff:ff:ff:ff'
  return `${index + 1}: ${name}: <${flags}> ${settings}\n    link/${kind} ${mac} brd ${everyone}\n`
}

function* ip({ args, system }: Process) {
  const { options, rest } = optionsOf(args.map((arg) => (arg === '-br' ? '--brief' : arg)))
  const [object = '', ...words] = rest
  const device = words.filter((word) => !['show', 'dev', 'list', 'ls'].includes(word))[0]
  const is = (word: string) => object !== '' && word.startsWith(object)
  const inVersion = ({ version }: Interface['addresses'][number]) =>
    (!options.has('4') || version === 4) && (!options.has('6') || version === 6)
  const all = [LOOPBACK, ...system.interfaces]
  if (is('route')) {
    for (const { name, addresses, primary } of system.interfaces) {
      for (const at of addresses.filter(({ version }) => version === (options.has('6') ? 6 : 4))) {
        if (primary) yield `default via ${at.gateway} dev ${name}\n`
        yield `${at.network} dev ${name} scope link src ${at.address}\n`
      }
    }
    return 0
  }
  if (is('maddress')) {
    const groups = yield* wait(system.network.groups())
    for (const [index, { name, primary }] of all.entries()) {
      if (device !== undefined && name !== device) continue
      yield `${index + 1}:\t${name}\n`
      if (!primary) continue
      for (const group of groups) yield `\t${group.includes(':') ? 'inet6' : 'inet '} ${group}\n`
    }
    return 0
  }
  if (!is('address') && !is('link')) {
    yield 'usage: ip [-4|-6|-br] address|link|maddress|route [show [dev NAME]]\n'
    return 1
  }
  const shown = all.filter(({ name }) => device === undefined || name === device)
  if (shown.length === 0) {
    yield `Device "${device}" does not exist.\n`
    return 1
  }
  if (options.has('brief')) {
    yield columns(
      shown.map(({ name, mac, addresses }) => [
        name.padEnd(16),
        name === 'lo' ? 'UNKNOWN' : 'UP     ',
        is('link')
          ? mac
          : addresses
              .filter(inVersion)
              .map(({ address, prefixLength }) => `${address}/${prefixLength}`)
              .join(' '),
      ]),
    )
    return 0
  }
  for (const nic of shown) {
    yield ipLink(nic, all.indexOf(nic))
    if (is('link')) continue
    for (const { address, prefixLength, version } of nic.addresses.filter(inVersion)) {
      const scope = nic.name === 'lo' ? 'host' : 'global'
      yield `    ${version === 4 ? 'inet' : 'inet6'} ${address}/${prefixLength} scope ${scope} ${version === 4 ? nic.name : ''}`.trimEnd()
      yield '\n'
    }
  }
}

function* env({ session }: Process) {
  for (const [name, value] of Object.entries(environment(session))) yield `${name}=${value}\n`
}

function* history({ session }: Process) {
  for (const [index, line] of session.history.entries()) {
    yield `${String(index + 1).padStart(5)}  ${line}\n`
  }
}

const says =
  (text: string): Run =>
  () => [text]

const asks =
  (wants: 'off' | 'reboot'): Run =>
  ({ session }) => {
    session.wants = wants
    return []
  }

const shutdown: Run = ({ args, session }) => {
  session.wants = args.includes('-r') ? 'reboot' : 'off'
  return []
}

const leave: Run = ({ session }) => {
  session.left = true
  return []
}

export const machinePrograms: Record<string, Program> = {
  clear: { help: 'clears the screen', run: says('\x1b[H\x1b[2J') },
  date: { usage: '[+FORMAT]', help: 'prints the time', run: date },
  df: { usage: '[-h]', help: 'shows the free space of file systems', run: df },
  dmesg: { help: 'prints the log of the kernel', run: dmesg },
  env: { help: 'prints the environment', run: env },
  exit: { help: 'leaves the shell', run: leave },
  false: {
    *run() {
      yield ''
      return 1
    },
  },
  free: { usage: '[-bkmgh]', help: 'shows the memory', run: free },
  halt: { run: asks('off') },
  history: { help: 'prints the history', run: history },
  hostname: {
    usage: '[-I]',
    help: 'prints the name of the machine, or its addresses',
    run: hostname,
  },
  id: { run: says('uid=0(root) gid=0(root) groups=0(root)\n') },
  ip: { usage: '[-4|-6|-br] address|link|route', help: 'shows the network interfaces', run: ip },
  logout: { run: leave },
  lsblk: { help: 'lists the disks', run: lsblk },
  mount: { help: 'lists the mounted file systems', run: mount },
  nproc: { help: 'prints the number of CPUs', run: ({ system }) => [`${system.spec.ncpus}\n`] },
  poweroff: { help: 'shuts the machine down', run: asks('off') },
  ps: { usage: '[aux]', help: 'lists processes', run: ps },
  reboot: { help: 'reboots the machine', run: asks('reboot') },
  shutdown: { run: shutdown },
  true: { run: () => [] },
  uname: { usage: '[-asnrvmo]', help: 'prints the name of the system', run: uname },
  uptime: { help: 'prints how long the machine has been up', run: uptimeProgram },
  whoami: { help: 'prints the name of the user', run: says('root\n') },
}
