/** The firmware that a disk or a CD boots by, from its first bytes. */
import type { Firmware } from '@steading/api/rules'

const SECTOR = 512
const CD_BLOCK = 2048

/** Master boot record: its program, the partition table, and the mark of a bootable sector. */
const PROGRAM_BYTES = 440
const PARTITIONS = 446
const PARTITION_BYTES = 16
const MARK = 510
/** Type of a partition with the boot loaders of UEFI, in a master boot record. */
const EFI_SYSTEM = 0xef

/** GUID partition table; GUIDs as they are stored. */
const GPT_MAGIC = 'EFI PART'
const EFI_SYSTEM_GUID = '28732ac11ff8d211ba4b00a0c93ec93b'
const BIOS_BOOT_GUID = '4861682149646f6e744e656564454649'
const LEGACY_BIOS_BOOTABLE = 1n << 2n
/** Bytes of all entries; more than any tool writes. */
const ENTRIES_MAX = 32 * 1024

/** El Torito: the boot record of a CD, and the catalogue that it leads to. */
const BOOT_RECORD = 17 * CD_BLOCK
const BOOT_RECORD_MARK = '\0CD001\u0001EL TORITO SPECIFICATION'
const CATALOGUE_AT = 0x47
const ENTRY_BYTES = 32
const BOOTABLE = 0x88
const [HEADER, LAST_HEADER] = [0x90, 0x91]
const [PLATFORM_BIOS, PLATFORM_UEFI] = [0, 0xef]

/** Reads bytes of a disk; fewer at its end. */
type Read = (offset: number, length: number) => Promise<Uint8Array>

const buffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The partitions of a GUID partition table; undefined without one. */
async function gptPartitions(read: Read): Promise<{ type: string; legacy: boolean }[] | undefined> {
  const header = buffer(await read(SECTOR, SECTOR))
  if (header.length < SECTOR || header.toString('latin1', 0, GPT_MAGIC.length) !== GPT_MAGIC) {
    return undefined
  }
  const start = Number(header.readBigUInt64LE(72)) * SECTOR
  const [count, size] = [header.readUInt32LE(80), header.readUInt32LE(84)]
  if (size < 128 || !Number.isSafeInteger(start)) return []
  const entries = buffer(await read(start, Math.min(count * size, ENTRIES_MAX)))
  const partitions: { type: string; legacy: boolean }[] = []
  for (let at = 0; at + 128 <= entries.length; at += size) {
    partitions.push({
      type: entries.toString('hex', at, at + 16),
      legacy: (entries.readBigUInt64LE(at + 48) & LEGACY_BIOS_BOOTABLE) !== 0n,
    })
  }
  return partitions
}

/** BIOS needs a program in the first sector; with a GUID partition table also its next stage. */
async function firmwareOfDisk(read: Read): Promise<Firmware | undefined> {
  const sector = buffer(await read(0, SECTOR))
  const isMarked = sector.length === SECTOR && sector.readUInt16LE(MARK) === 0xaa55
  const hasProgram = isMarked && sector.subarray(0, PROGRAM_BYTES).some((byte) => byte !== 0)
  const partitions = await gptPartitions(read)
  if (partitions) {
    const isBios = ({ type, legacy }: (typeof partitions)[number]) =>
      legacy || type === BIOS_BOOT_GUID
    if (hasProgram && partitions.some(isBios)) return 'bios'
    return partitions.some(({ type }) => type === EFI_SYSTEM_GUID) ? 'uefi' : undefined
  }
  if (hasProgram) return 'bios'
  const types = [0, 1, 2, 3].map((index) => sector[PARTITIONS + index * PARTITION_BYTES + 4])
  return isMarked && types.includes(EFI_SYSTEM) ? 'uefi' : undefined
}

async function firmwareOfCd(read: Read): Promise<Firmware | undefined> {
  const record = buffer(await read(BOOT_RECORD, CD_BLOCK))
  if (record.length < CD_BLOCK || !record.toString('latin1').startsWith(BOOT_RECORD_MARK)) {
    return undefined
  }
  const catalogue = buffer(await read(record.readUInt32LE(CATALOGUE_AT) * CD_BLOCK, CD_BLOCK))
  const platforms = new Set<number>()
  let platform = catalogue[1]
  // The first entry validates the catalogue, and has the platform of the second one.
  for (let at = ENTRY_BYTES; at + ENTRY_BYTES <= catalogue.length; at += ENTRY_BYTES) {
    const kind = catalogue[at]!
    if (kind === HEADER || kind === LAST_HEADER) platform = catalogue[at + 1]
    else if (kind === BOOTABLE) platforms.add(platform!)
  }
  if (platforms.has(PLATFORM_BIOS)) return 'bios'
  return platforms.has(PLATFORM_UEFI) ? 'uefi' : undefined
}

/**
 * The firmware that a disk boots by: BIOS where it can, as it is ready sooner, and UEFI where only
 * that boots. Undefined for a disk that boots by neither, such as an empty one.
 */
export const firmwareIn = (read: Read, { cd }: { cd: boolean }): Promise<Firmware | undefined> =>
  cd ? firmwareOfCd(read) : firmwareOfDisk(read)
