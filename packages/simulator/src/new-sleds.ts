/** The hardware of new sleds in the simulated rack. */
import { GiB, TiB } from '@steading/api/rules'
import type { Insertable } from 'kysely'
import type { Tx } from '@steading/control-plane/engine'
import type { SimulatedDiskTable, SimulatedSledTable } from './hardware-tables.ts'

/** Slots for sleds in a rack. */
const CUBBIES = 32
const U2_DISKS = 10
const M2_DISKS = 2
/** Size of a disk for volumes, and of a boot disk, in bytes. */
const U2_SIZE = 3200 * GiB
const M2_SIZE = 960 * GiB

export type NewSled = Insertable<SimulatedSledTable>
type Disk = Insertable<SimulatedDiskTable>

/** The serial number of the sled in a cubby. */
const serialIn = (cubby: number): string => `BRM-${String(cubby + 1).padStart(4, '0')}`

/** A new sled; the one in the last cubby has newer processors. */
export const newSled = (cubby: number, newer: boolean): NewSled => ({
  serial: serialIn(cubby),
  part: newer ? '913-0000023' : '913-0000019',
  revision: newer ? 3 : 6,
  cubby,
  threads: 128,
  ram: 1 * TiB,
  cpu_platform: newer ? 'amd_turin_v2' : 'amd_milan',
  down: 0,
  sled_id: null,
})

/** Disks of a sled: disks for volumes, then boot disks. */
export const newDisks = (sledSerial: string): Disk[] => {
  const disk = (form_factor: 'u2' | 'm2', slot: number): Disk => ({
    serial: `${sledSerial}-${form_factor.toUpperCase()}-${slot}`,
    sled_serial: sledSerial,
    vendor: '1b96',
    model: form_factor === 'u2' ? 'WUS5EA138ESP7E1' : 'WUS4BA119DSP3X3',
    form_factor,
    slot,
    size: form_factor === 'u2' ? U2_SIZE : M2_SIZE,
    failed: 0,
  })
  return [
    ...Array.from({ length: U2_DISKS }, (_, slot) => disk('u2', slot)),
    ...Array.from({ length: M2_DISKS }, (_, slot) => disk('m2', slot)),
  ]
}

/** The lowest slot that no sled is in, and that no host keeps; undefined if the rack is full. */
export async function firstFreeCubby(tx: Tx): Promise<number | undefined> {
  const sleds = await tx.selectFrom('simulated_sled').select('cubby').execute()
  const hosts = await tx.selectFrom('simulated_host').select('cubby').execute()
  const taken = new Set([...sleds, ...hosts].map(({ cubby }) => cubby))
  return Array.from({ length: CUBBIES }, (_, cubby) => cubby).find((cubby) => !taken.has(cubby))
}
