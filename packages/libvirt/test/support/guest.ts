/** The guest of the tests, which runs as soon as its firmware does. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Machines, MachineSpec } from '@steading/control-plane/ports'
import { base64ToUint8Array } from 'uint8array-extras'

/** Its boot sector: `guest.S`, assembled. */
const code =
  '+jHAjtiOwI7QvAB8ugIGuAAB776+fOiKALsAgLkABLoABu2pAAF1Wrr9A+yoAXUH4u379Prr5br4A+w8BHRDPBJ0TzwXdCM8' +
  'DXQIiAdD6FwA68nGBwC+Dn3oRwC+AIDoQQC+Dn3oOwDrr7gAQ7KAvv58zROBBgZ9gAC+8XzoIwDrl77WfOgbALoEBrgAIO/0' +
  '6/2+5XzoCwC6+QywAu6wBu7r7KyEwHQV6AIA6/aIxLr9A+yoIHT4iOC6+APuww0KVGhlIGd1ZXN0IGlzIHJlYWR5Lg0KAA0K' +
  'UG93ZXIgb2ZmLg0KAA0KUmVib290Lg0KAA0KV3JpdHRlbi4NCgAQAAEAAHwAAAAIAAAAAAAADQoA'

/** The line that it prints first. */
export const READY = 'The guest is ready.'

/** Keys for it. */
export const keys = {
  powerOff: '\u0004',
  reboot: '\u0012',
  write: '\u0017',
  say: (word: string): string => `${word}\r`,
}

/** The firmware takes no smaller disk. Bytes. */
const DISK_BYTES = 1024 * 1024

/** A disk whose boot sector halts the processor for good. Unlike the guest, it needs no serial port. */
export function haltingDisk(): Uint8Array {
  const disk = new Uint8Array(DISK_BYTES)
  // cli, hlt, and a jump to the hlt.
  disk.set([0xfa, 0xf4, 0xeb, 0xfd])
  disk.set([0x55, 0xaa], 510)
  return disk
}

/** A disk that boots the guest. */
export function guestDisk(): Uint8Array {
  const disk = new Uint8Array(DISK_BYTES)
  disk.set(base64ToUint8Array(code))
  disk.set([0x55, 0xaa], 510)
  return disk
}

/** A CD that boots the guest. */
export function guestCd(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'steading-cd-'))
  try {
    mkdirSync(join(folder, 'files'))
    writeFileSync(join(folder, 'files/boot'), guestDisk().subarray(0, 2048))
    const image = join(folder, 'cd.iso')
    const boot = ['-b', 'boot', '-no-emul-boot', '-boot-load-size', '4']
    execFileSync('xorriso', ['-as', 'mkisofs', ...boot, '-o', image, join(folder, 'files')], {
      stdio: 'ignore',
    })
    return readFileSync(image)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Writes a disk that boots the guest. */
export const writeGuestDisk = (path: string): Promise<void> => writeFile(path, guestDisk())

/** Sends a signal to the QEMU of a machine. */
export function signalQemu(machineId: string, signal: NodeJS.Signals): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    let command = ''
    try {
      command = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    } catch {
      // It has just ended.
    }
    if (command.includes(`guest=steading-${machineId},`)) process.kill(Number(pid), signal)
  }
}

export const killQemu = (machineId: string): void => signalQemu(machineId, 'SIGKILL')

/** Machines that get the disk of the guest for each of their volumes, whose bytes are in no file. */
export const withGuestDisks = (
  machines: Machines,
  directory: string,
  change: (spec: MachineSpec) => MachineSpec = (spec) => spec,
): Machines => ({
  ...machines,
  async run(id, spec, fence) {
    const volumes = await Promise.all(
      spec.volumes.map(async (volume) => {
        const path = join(directory, `${id}-${volume.slot}`)
        await writeGuestDisk(path)
        return { ...volume, source: { path, format: 'raw' as const } }
      }),
    )
    await machines.run(id, change({ ...spec, volumes }), fence)
  },
})
