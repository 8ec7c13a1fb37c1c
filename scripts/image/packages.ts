/** Debian packages, unpacked instead of installed. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from '../processes.ts'

/** The kernel's package is found by the one that always depends on the newest. */
const KERNEL = 'linux-image-cloud-amd64'
const packages = [
  'busybox-static',
  // BusyBox of Debian has no client of DHCPv6.
  'dhcpcd-base',
  'dropbear-bin',
  // The libraries of both.
  'libc6',
  'libcrypt1',
  'libgmp10',
  'libtomcrypt1',
  'libtommath1',
  'libudev1',
  'zlib1g',
]

/**
 * Runs a program.
 * @throws Error with its output if it fails
 */
export async function output(command: string, ...args: string[]): Promise<string> {
  const { code, output: printed } = await capture(command, args)
  if (code !== 0) throw new Error(`${command} failed:\n${printed}`)
  return printed
}

/** Downloads a package, which appears in the cache as a whole: others may look for it. */
async function download(name: string, cache: string): Promise<void> {
  const own = mkdtempSync(join(cache, '.download-'))
  try {
    await output('sh', '-c', 'cd "$1" && apt-get -qq download "$2"', 'sh', own, name)
    for (const file of readdirSync(own)) renameSync(join(own, file), join(cache, file))
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/**
 * Downloads packages and unpacks them in a folder.
 * @param cache keeps the packages for another time
 */
export async function unpackPackages(cache: string, folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true })
  const depends = await output('apt-cache', 'depends', '--important', KERNEL)
  const kernel = /Depends: (linux-image-\S+)/.exec(depends)?.[1]
  if (!kernel) throw new Error(`${KERNEL} depends on no kernel.`)
  for (const name of [kernel, ...packages]) {
    const found = () =>
      readdirSync(cache).find((file) => file.startsWith(`${name}_`) && file.endsWith('.deb'))
    if (!found()) await download(name, cache)
    await output('dpkg', '-x', join(cache, found()!), folder)
  }
}
