/** The firmware of machines. */

/** A PC's firmware, of either kind. */
export const firmwares = ['bios', 'uefi'] as const
export type Firmware = (typeof firmwares)[number]

export const firmwareNames: Record<Firmware, string> = { bios: 'BIOS', uefi: 'UEFI' }

/** Explains the choice of the firmware to the owner of an instance. */
export const firmwareChoice =
  'Chosen at each start: BIOS if the boot disk can boot by it, otherwise UEFI. While the boot disk is empty, the CD decides.'
