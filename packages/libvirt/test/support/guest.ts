/** The guest of the tests, which runs as soon as its firmware does. */
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { base64ToUint8Array } from 'uint8array-extras'

/** Its boot sector: `guest.S`, assembled. */
const code =
  '+jHAjtiOwI7QvAB8ugIGuAAB7760fOiAALsAgLoABu2pAAF1U7r9A+yoAXTvuvgD7DwEdEM8EnRPPBd0IzwNdAiIB0PoXADr' +
  '08YHAL4EfehHAL4AgOhBAL4Efeg7AOu5uABDsoC+9HzNE4EG/HyAAL7nfOgjAOuhvsx86BsAugQGuAAg7/Tr/b7bfOgLALr5' +
  'DLAC7rAG7uvsrITAdBXoAgDr9ojEuv0D7KggdPiI4Lr4A+7DDQpUaGUgZ3Vlc3QgaXMgcmVhZHkuDQoADQpQb3dlciBvZmYu' +
  'DQoADQpSZWJvb3QuDQoADQpXcml0dGVuLg0KABAAAQAAfAAAAAgAAAAAAAANCgA='

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
