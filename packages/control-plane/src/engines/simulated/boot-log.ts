import { exactBytes } from '@steading/api/rules'
import type { VmSpec } from '../../kernel/ports/engine.ts'

/** What the console of a simulated guest shows while it comes up, line by line. */
export function bootLog(spec: VmSpec): string[] {
  const stamp = (seconds: number) => `[${seconds.toFixed(6).padStart(12)}]`
  const lines = [
    'Steading simulated machine firmware',
    `${spec.ncpus} vCPU, ${exactBytes(spec.memory)} memory, placed on sled ${spec.sledSerial}`,
  ]
  const boot = spec.disks.find((disk) => disk.boot) ?? spec.disks[0]
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
  for (const [index, disk] of spec.disks.entries()) {
    kernel(
      `nvme${index}: ${disk.name}, ${exactBytes(disk.size)}${disk.readOnly ? ', read-only' : ''}`,
    )
  }
  for (const nic of spec.interfaces) {
    kernel(`${nic.name}: ${nic.mac.toLowerCase()} link up, ${nic.ips.join(', ')}`)
  }
  kernel(`hostname: ${spec.hostname}`)
  kernel('mounted root filesystem')
  kernel('reached target multi-user')
  return lines
}

export const prompt = (spec: VmSpec): string => `${spec.hostname}:~# `

/** What the guest says once it is up. */
export const greeting = (spec: VmSpec): string[] => [
  '',
  `Welcome to ${spec.hostname}. This machine is simulated; help lists its few commands.`,
  '',
]
