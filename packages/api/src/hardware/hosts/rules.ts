/** Hosts that run machines by libvirt, as operators see them. */

import { MiB } from '../../rules/bytes.ts'

/** How guests run: on the processor itself, or emulated, which is many times slower. */
export const accelerators = ['kvm', 'none'] as const
export type Accelerator = (typeof accelerators)[number]

/**
 * Bytes that must be free on the disk of a host, beside the space that is kept free, before a guest
 * continues that was paused for lack of room.
 */
export const RESUME_FREE = 64 * MiB

/** Commands that remove a domain, for an operator who has found that nobody needs it. */
export const removeDomain = (uri: string, uuid: string): string[] => [
  `virsh -c ${uri} destroy ${uuid}`,
  `virsh -c ${uri} undefine --managed-save --snapshots-metadata --nvram ${uuid}`,
]
