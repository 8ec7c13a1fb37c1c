/** Resources from which machines boot. */
export const bootSourceTypes = ['image', 'snapshot', 'disk'] as const
export type BootSourceType = (typeof bootSourceTypes)[number]

export const bootMessages = {
  /** In the form of an instance. */
  noLoader: (type: BootSourceType): string =>
    `Nothing to boot from: this ${type} has no boot loader, so the instance would find no system to start.`,
  /** On the page of an instance that has started without finding one. */
  nothing: {
    title: 'Nothing to boot from',
    body: 'The firmware found no boot loader on the boot disk, and no bootable CD. Stop the instance, and attach a disk made of a bootable image as its boot disk.',
  },
} as const
