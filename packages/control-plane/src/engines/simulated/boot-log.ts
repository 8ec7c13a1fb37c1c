import { exactBytes } from '@steading/api/rules'
import type { MachineSpec } from '../../kernel/ports/machines.ts'

/** What the console of a simulated guest shows while it comes up, line by line. */
function bootLog(spec: MachineSpec): string[] {
  const stamp = (seconds: number) => `[${seconds.toFixed(6).padStart(12)}]`
  const lines = [
    'Steading simulated machine firmware',
    `${spec.ncpus} vCPU, ${exactBytes(spec.memory)} memory, placed on sled ${spec.sled.serial}`,
  ]
  const boot = spec.volumes.find((disk) => disk.boot) ?? spec.volumes[0]
  lines.push(
    boot ? `Booting from disk ${boot.name} (${exactBytes(boot.size)})` : 'No disk to boot from',
    '',
  )
  let at = 0
  const kernel = (text: string) => {
    at += 0.037 + text.length / 997
    lines.push(`${stamp(at)} ${text}`)
  }
  kernel(`Memory: ${exactBytes(spec.memory)} available`)
  kernel(`smp: brought up 1 node, ${spec.ncpus} CPUs`)
  for (const [index, disk] of spec.volumes.entries()) {
    kernel(
      `nvme${index}: ${disk.name}, ${exactBytes(disk.size)}${disk.readOnly ? ', read-only' : ''}`,
    )
  }
  for (const nic of spec.interfaces) {
    kernel(
      `${nic.name}: ${nic.mac.toLowerCase()} link up, ${nic.addresses.map(({ address }) => address).join(', ')}`,
    )
  }
  kernel(`hostname: ${spec.hostname}`)
  kernel('mounted root filesystem')
  kernel('reached target multi-user')
  return lines
}

export const prompt = (spec: MachineSpec): string => `${spec.hostname}:~# `

/** What the guest says once it is up. */
const greeting = (spec: MachineSpec): string[] => [
  '',
  `Welcome to ${spec.hostname}. This machine is simulated; help lists its few commands.`,
  '',
]

const encoder = new TextEncoder()

/** Everything a guest prints from power on to its first prompt. */
export function bootText(spec: MachineSpec) {
  const lines = bootLog(spec).map((line) => encoder.encode(`${line}\r\n`))
  const end = encoder.encode(`${greeting(spec).join('\r\n')}\r\n${prompt(spec)}`)
  const bytes = new Uint8Array([...lines, end].reduce((sum, { length }) => sum + length, 0))
  let at = 0
  /** Number of lines → their bytes. */
  const ends = [0]
  for (const line of [...lines, end]) {
    bytes.set(line, at)
    ends.push((at += line.length))
  }
  return {
    bytes,
    length: bytes.length,
    /** Bytes that are printed when a share (0 to 1) of the boot is over, without the greeting. */
    lengthAt: (share: number): number => ends[Math.floor(lines.length * share)]!,
  }
}

export const stopping = '\r\nStopping all services\r\n'
export const powerDown = '\r\nPower down\r\n'
export const rebooting = '\r\nRebooting\r\n'
