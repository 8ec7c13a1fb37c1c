/** Whether tests can run real guests here. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { programs } from '../../src/availability.ts'

/** As for the engine; the tests also start the daemon, and make CDs. */
const needed = {
  ...programs,
  xorriso: 'xorriso',
  libvirtd: process.getuid?.() === 0 ? 'libvirt-daemon-system' : 'libvirt-daemon',
}

const path = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']

/** The reason why no guest runs here, in a few words; undefined if guests run. */
export function machinesMissing(): string | undefined {
  if (process.env.STEADING_WITHOUT_MACHINES) return process.env.STEADING_WITHOUT_MACHINES
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'this is not Linux on x86-64'
  const missing = Object.entries(needed)
    .filter(([program]) => !path.some((folder) => existsSync(join(folder, program))))
    .map(([, debian]) => debian)
  return missing.length > 0 ? `apt-get install ${[...new Set(missing)].join(' ')}` : undefined
}
