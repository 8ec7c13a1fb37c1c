/** Rules of switch ports and their links (control plane 10.1). */
import type { SwitchSlot } from '../../hardware/sleds/hardware.ts'

/** Name of a switch port within its rack. */
export const switchPortName = (slot: SwitchSlot, port: string): string => `${slot}/${port}`

/**
 * `down`: nothing responds at the other end; `coming_up`: the ends are negotiating; `unknown`: the
 * switch does not respond.
 */
export const linkStates = ['up', 'coming_up', 'down', 'unknown'] as const
export type LinkState = (typeof linkStates)[number]

export const switchPortMessages = {
  /** LLDP was requested for a port without settings. */
  notConfigured: 'switch port not yet configured',
  noLldp: 'lldp not configured for this port',
  lldpId: (known: string, given: string) =>
    `id (${known}) doesn't match provided config (${given})`,
  otherAsn: 'a different asn is already configured on this switch',
} as const
