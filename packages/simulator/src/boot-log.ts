import { exactBytes } from '@steading/api/rules'
import type { MachineSpec } from '@steading/control-plane/ports'
import { firstPrompt, greeting } from './os/shell.ts'
import { kernelLog } from './os/system.ts'

/** Boot messages of a simulated guest, line by line. */
function bootLog(spec: MachineSpec): string[] {
  const boot = spec.volumes.find((disk) => disk.boot) ?? spec.volumes[0]
  return [
    'Steading simulated machine firmware',
    `${spec.ncpus} vCPU, ${exactBytes(spec.memory)} memory, placed on sled ${spec.sled.serial}`,
    boot ? `Booting from disk ${boot.name} (${exactBytes(boot.size)})` : 'No disk to boot from',
    '',
    ...kernelLog(spec),
  ]
}

const encoder = new TextEncoder()

/** All output of a guest from power on to its first prompt. */
export function bootText(spec: MachineSpec) {
  const lines = bootLog(spec).map((line) => encoder.encode(`${line}\r\n`))
  const end = encoder.encode(greeting(spec.hostname) + firstPrompt(spec.hostname))
  const bytes = new Uint8Array([...lines, end].reduce((sum, { length }) => sum + length, 0))
  let at = 0
  /** Number of lines → their total bytes. */
  const ends = [0]
  for (const line of [...lines, end]) {
    bytes.set(line, at)
    ends.push((at += line.length))
  }
  return {
    bytes,
    length: bytes.length,
    /** Bytes printed after a share (0 to 1) of the boot, without the greeting. */
    lengthAt: (share: number): number => ends[Math.floor(lines.length * share)]!,
  }
}

export const stopping = '\r\nStopping all services\r\n'
export const powerDown = '\r\nPower down\r\n'
export const rebooting = '\r\nRebooting\r\n'
