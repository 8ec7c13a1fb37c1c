/** The firmware that a disk boots by, from its bytes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firmwareIn } from '../src/volumes/firmware.ts'
import { guestDisk } from './support/guest.ts'
import { machinesMissing } from './support/libvirt.ts'
import { bootableCd, partitionTable, partitionTypes } from './support/uefi-guest.ts'

const MiB = 1024 * 1024
const SIZE = 8 * MiB
const firmware = (bytes: Uint8Array, cd = false) =>
  firmwareIn(async (offset, length) => bytes.subarray(offset, offset + length), { cd })

/** The first sectors of a disk, with or without a program of the BIOS. */
function disk(program: boolean, ...types: (keyof typeof partitionTypes | 'legacy')[]): Uint8Array {
  const partitions = types.map((type, index) => ({
    type: type === 'legacy' ? partitionTypes.linuxData : partitionTypes[type],
    first: 2048 + index,
    last: 2048 + index,
    legacyBootable: type === 'legacy',
  }))
  const table = partitionTable(partitions, SIZE)
  if (program) table[0] = 0xeb
  return table
}

/** A master boot record with one partition. */
function record(program: boolean, type: number): Uint8Array {
  const sector = new Uint8Array(2048)
  if (program) sector[0] = 0xeb
  sector[450] = type
  sector.set([0x55, 0xaa], 510)
  return sector
}

test.each([
  ['an empty disk', new Uint8Array(MiB), undefined],
  ['a disk without bytes', new Uint8Array(0), undefined],
  ['a boot sector', guestDisk(), 'bios'],
  ['a data disk', disk(false, 'linuxData'), undefined],
  ['a disk with loaders of UEFI', disk(false, 'linuxData', 'efiSystem'), 'uefi'],
  ['a cloud image for both', disk(true, 'efiSystem', 'biosBoot'), 'bios'],
  ['a disk for both with a marked partition', disk(true, 'legacy', 'efiSystem'), 'bios'],
  ['a program that only says that it cannot boot', disk(true, 'efiSystem', 'linuxData'), 'uefi'],
  ['a place for a loader without one', disk(false, 'biosBoot', 'efiSystem'), 'uefi'],
  ['an old partition table with a program', record(true, 0x83), 'bios'],
  ['an old partition table for UEFI', record(false, 0xef), 'uefi'],
  ['an old partition table for both', record(true, 0xef), 'bios'],
  ['an old partition table of data', record(false, 0x83), undefined],
] as const)('%s', async (_, bytes, expected) => {
  expect(await firmware(bytes)).toBe(expected)
})

test('a table in another place is found', async () => {
  const bytes = Buffer.alloc(SIZE)
  disk(false, 'efiSystem').forEach((byte, at) => (bytes[at] = byte))
  bytes.copy(bytes, 4 * MiB, 1024, 34 * 512)
  bytes.fill(0, 1024, 34 * 512)
  bytes.writeBigUInt64LE(BigInt((4 * MiB) / 512), 512 + 72)
  expect(await firmware(bytes)).toBe('uefi')
})

describe.skipIf(machinesMissing() !== undefined)('CDs', () => {
  test.each([
    [[], undefined],
    [['bios'], 'bios'],
    [['uefi'], 'uefi'],
    [['bios', 'uefi'], 'bios'],
    [['uefi', 'bios'], 'bios'],
  ] as const)('for %j', async (kinds, expected) => {
    expect(await firmware(bootableCd(...kinds), true)).toBe(expected)
  })
})

test('damaged tables are no error', async () => {
  const table = disk(true, 'efiSystem')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(100), fc.nat(255)), { maxLength: 20 }),
      fc.boolean(),
      async (changes, cd) => {
        const bytes = Buffer.alloc(40 * 2048)
        bytes.set(table)
        bytes.write('\0CD001\u0001EL TORITO SPECIFICATION', 17 * 2048, 'latin1')
        for (const [at, value] of changes) {
          if (at > 8) bytes[512 + at] = value
          if (at > 60) bytes[17 * 2048 + at] = value
        }
        expect([undefined, 'bios', 'uefi']).toContain(await firmware(bytes, cd))
      },
    ),
  )
})
