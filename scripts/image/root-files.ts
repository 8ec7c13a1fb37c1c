/** The file systems of the image: the root, and the one that finds it. */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { output } from './packages.ts'

const sources = join(import.meta.dirname, 'files')

/** Drivers of the root file system, and of everything else. */
const early = ['virtio_pci', 'virtio_blk']
const late = [
  'virtio_net',
  'virtio_scsi',
  'sr_mod',
  'sd_mod',
  'isofs',
  'virtio-rng',
  'virtio_input',
  'virtio_balloon',
  'virtio_console',
  'button',
  'evdev',
]

function put(folder: string, path: string, contents: string, mode = 0o644): void {
  const target = join(folder, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, contents, { mode })
}
const putFile = (folder: string, name: string, path: string, mode?: number): void =>
  put(folder, path, readFileSync(join(sources, name), 'utf8'), mode)

/** The version of the kernel, as its modules are named. */
export const kernelVersion = (unpacked: string): string =>
  readdirSync(join(unpacked, 'lib/modules'))[0]!

/** The files of modules and of everything they need, as `modules.dep` names them. */
function closure(dependencies: string, names: readonly string[]): string[] {
  const lines = dependencies.split('\n').map((line) => line.split(/:\s*|\s+/).filter(Boolean))
  const needs = new Map(lines.map(([file, ...needed]) => [file!, needed]))
  const nameOf = (file: string) => basename(file, '.ko').replaceAll('-', '_')
  const files = new Set<string>()
  const add = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    for (const needed of needs.get(file) ?? []) add(needed)
  }
  for (const name of names) {
    const file = [...needs.keys()].find((one) => nameOf(one) === name.replaceAll('-', '_'))
    // It is built into the kernel.
    if (file) add(file)
  }
  return [...files]
}

/** Copies modules, and lists their dependencies for `modprobe`. */
async function putModules(
  unpacked: string,
  folder: string,
  names: readonly string[],
): Promise<void> {
  const version = kernelVersion(unpacked)
  const modules = join('lib/modules', version)
  const busybox = join(unpacked, 'bin/busybox')
  await output(busybox, 'depmod', '-b', unpacked, version)
  const dependencies = readFileSync(join(unpacked, modules, 'modules.dep'), 'utf8')
  for (const file of closure(dependencies, names)) {
    const target = join(folder, modules, file)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(join(unpacked, modules, file), target)
  }
  await output(busybox, 'depmod', '-b', folder, version)
}

async function putBusybox(unpacked: string, folder: string): Promise<void> {
  const busybox = join(folder, 'bin/busybox')
  mkdirSync(dirname(busybox), { recursive: true })
  copyFileSync(join(unpacked, 'bin/busybox'), busybox)
  chmodSync(busybox, 0o755)
}

/** The libraries of a program, by its own loader. */
async function putLibraries(unpacked: string, folder: string, program: string): Promise<void> {
  const directories = ['lib/x86_64-linux-gnu', 'usr/lib/x86_64-linux-gnu']
  const path = directories.map((directory) => join(unpacked, directory)).join(':')
  const loader = join(unpacked, 'lib64/ld-linux-x86-64.so.2')
  const listed = await output(loader, '--library-path', path, '--list', join(unpacked, program))
  mkdirSync(join(folder, 'lib64'), { recursive: true })
  copyFileSync(loader, join(folder, 'lib64/ld-linux-x86-64.so.2'))
  for (const [, library] of listed.matchAll(/=> (\S+) \(/g)) {
    const target = join(folder, 'lib/x86_64-linux-gnu', basename(library!))
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(library!, target)
  }
}

/** Fills the folder of the root file system. */
export async function makeRoot(unpacked: string, folder: string): Promise<void> {
  const empty = [
    'dev',
    'proc',
    'sys',
    'run',
    'tmp',
    'root',
    'mnt',
    'var/log',
    'var/lib',
    'etc/dropbear',
  ]
  for (const path of empty) mkdirSync(join(folder, path), { recursive: true })
  await putBusybox(unpacked, folder)
  const listed = await output(join(unpacked, 'bin/busybox'), '--list-full')
  for (const path of listed.split('\n')) {
    const link = join(folder, path)
    mkdirSync(dirname(link), { recursive: true })
    if (path !== 'bin/busybox') symlinkSync('/bin/busybox', link)
  }
  mkdirSync(join(folder, 'usr/sbin'), { recursive: true })
  for (const program of ['usr/sbin/dropbear', 'usr/sbin/dhcpcd']) {
    cpSync(join(unpacked, program), join(folder, program))
    await putLibraries(unpacked, folder, program)
  }
  for (const path of ['usr/lib/dhcpcd', 'etc/dhcpcd.conf', 'var/lib/dhcpcd']) {
    cpSync(join(unpacked, path), join(folder, path), { recursive: true })
  }
  await putModules(unpacked, folder, [...early, ...late])
  putFile(folder, 'inittab', 'etc/inittab')
  for (const name of ['start', 'settings', 'user-data']) {
    putFile(folder, name, `etc/init.d/${name}`, 0o755)
  }
  putFile(folder, 'power-button', 'etc/acpi/PWRF/00000080', 0o755)
  // The console is only for those who may use it, so it asks for no password. SSH takes keys only.
  put(folder, 'etc/passwd', 'root::0:0:root:/root:/bin/sh\n')
  put(folder, 'etc/group', 'root:x:0:\n')
  put(folder, 'etc/shells', '/bin/sh\n')
  put(folder, 'etc/issue', 'A small Linux. Sign in as root, without a password.\n\n')
  put(folder, 'etc/hosts', '127.0.0.1 localhost\n::1 localhost\n')
  put(folder, 'etc/resolv.conf', '')
}

/** Writes the archive from which the kernel starts. */
export async function makeInitramfs(
  unpacked: string,
  folder: string,
  target: string,
): Promise<void> {
  await putBusybox(unpacked, folder)
  await putModules(unpacked, folder, early)
  putFile(folder, 'initramfs-init', 'init', 0o755)
  mkdirSync(join(folder, 'sbin'), { recursive: true })
  symlinkSync('/bin/busybox', join(folder, 'bin/sh'))
  symlinkSync('/bin/busybox', join(folder, 'sbin/modprobe'))
  const script = 'cd "$1" && find . | cpio --quiet -o -H newc -R 0:0 | gzip -9 >"$2"'
  await output('sh', '-c', script, 'sh', folder, target)
}
