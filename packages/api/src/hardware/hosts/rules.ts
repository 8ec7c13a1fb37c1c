/** Hosts that run machines by libvirt, as operators see them. */

/** How guests run: on the processor itself, or translated, which is many times slower. */
export const accelerators = ['kvm', 'none'] as const
export type Accelerator = (typeof accelerators)[number]

/** Commands that remove a domain, for an operator who has found that nobody needs it. */
export const removeDomain = (uri: string, uuid: string): string[] => [
  `virsh -c ${uri} destroy ${uuid}`,
  `virsh -c ${uri} undefine --managed-save --snapshots-metadata --nvram ${uuid}`,
]
