/** Power switches of hosts, by the clients of this server. See README.md. */
import { FENCING_PACE_MS, type PowerSwitchMethod } from '@steading/api/rules'
import type { EnginePart, Fencing } from '@steading/control-plane/ports'
import type { PowerClient } from './client.ts'
import { hypervisor } from './hypervisor.ts'
import { ipmi } from './ipmi.ts'
import { redfish } from './redfish.ts'

const methods: Record<PowerSwitchMethod, PowerClient> = { ipmi, redfish, hypervisor }

export const powerSwitches: Fencing = {
  paceMs: FENCING_PACE_MS,
  power: (at) => methods[at.method].power(at),
  switchOff: (at) => methods[at.method].switchOff(at),
}

export const fencing: EnginePart = {
  name: 'power-switches',
  ports: ['fencing'],
  open: () => ({ fencing: powerSwitches }),
}
