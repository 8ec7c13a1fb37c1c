/** The guest of the tests, which runs as soon as its firmware does. */
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { base64ToUint8Array } from 'uint8array-extras'

/** Its boot sector: `guest.S`, assembled. */
const code =
  '+jHAjtiOwI7QvAB8ugIGuAAB776YfOhkALsAgLoABu2pAAF1N7r9A+yoAXTvuvgD7DwEdCc8EnQzPA10CIgHQ+hEAOvX' +
  'xgcAvst86C8AvgCA6CkAvst86CMA672+sHzoGwC6BAa4ACDv9Ov9vr986AsAuvkMsALusAbu6+yshMB0FegCAOv2iMS6' +
  '/QPsqCB0+IjguvgD7sMNClRoZSBndWVzdCBpcyByZWFkeS4NCgANClBvd2VyIG9mZi4NCgANClJlYm9vdC4NCgANCgA='

/** The line that it prints first. */
export const READY = 'The guest is ready.'

/** Keys for it. */
export const keys = {
  powerOff: '\u0004',
  reboot: '\u0012',
  say: (word: string): string => `${word}\r`,
}

/** The firmware takes no smaller disk. Bytes. */
const DISK_BYTES = 1024 * 1024

/** A disk that boots the guest. */
export function guestDisk(): Uint8Array {
  const disk = new Uint8Array(DISK_BYTES)
  disk.set(base64ToUint8Array(code))
  disk.set([0x55, 0xaa], 510)
  return disk
}

/** Writes a disk that boots the guest. */
export const writeGuestDisk = (path: string): Promise<void> => writeFile(path, guestDisk())

/** Kills the QEMU of a machine. */
export function killQemu(machineId: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    let command = ''
    try {
      command = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    } catch {
      // It has just ended.
    }
    if (command.includes(`guest=steading-${machineId},`)) process.kill(Number(pid), 'SIGKILL')
  }
}
