/** Facts and rules about the ports of switches and their links (control plane 10.1). */
import type { SwitchSlot } from '../../hardware/sleds/hardware.ts'

/** What a port is called within its rack. */
export const switchPortName = (slot: SwitchSlot, port: string): string => `${slot}/${port}`

/** `down`: nothing answers at the other end; `coming_up`: the ends are agreeing on how to talk. */
export const linkStates = ['up', 'coming_up', 'down'] as const
export type LinkState = (typeof linkStates)[number]

export const switchPortMessages = {
  /** About the settings of a port whose LLDP is asked for. */
  notConfigured: 'switch port not yet configured',
  noLldp: 'lldp not configured for this port',
  lldpId: (known: string, given: string) =>
    `id (${known}) doesn't match provided config (${given})`,
  otherAsn: 'a different asn is already configured on this switch',
} as const
