/** Hosts that are virtual machines: `virsh` at the libvirt of their hypervisor. */
import type { PowerSwitch } from '@steading/control-plane/ports'
import { type PowerClient, ask, ASK_MS, faultOf } from './client.ts'
import { untilOff } from './until-off.ts'

const run = ({ address, system }: PowerSwitch, command: 'domstate' | 'destroy') =>
  ask('virsh', 'libvirt-clients', ['-q', '-c', address, command, '--domain', system ?? ''], {
    ms: ASK_MS,
  })

const power: PowerClient['power'] = async (at) => {
  const { output, complaint } = await run(at, 'domstate')
  if (complaint !== undefined) throw faultOf(complaint, at)
  // One that crashed may be kept with its memory, and continue.
  return output.trim() === 'shut off' ? 'off' : 'on'
}

export const hypervisor: PowerClient = {
  power,
  switchOff: (at) =>
    untilOff(power, at, async () => {
      const { complaint } = await run(at, 'destroy')
      if (complaint !== undefined) throw faultOf(complaint, at)
    }),
}
