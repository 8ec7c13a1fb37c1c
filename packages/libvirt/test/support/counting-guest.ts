/**
 * A guest that counts on its disk (`counting-guest.S`), and the check of what it has written: no guest
 * ran twice at the same time, and no record was lost that it had reported.
 */
import { base64ToUint8Array } from 'uint8array-extras'

/** Its boot sector: `counting-guest.S`, assembled. */
const code =
  '+jHAjtiOwI7QvAB8/Pu6Aga4AAHvMcC/AIK5AAHzq2bHBgCCQ09OVA8xZqMIgrQCzRqJDgyCiRYOgr5BfejmAOjAAGYx22a9' +
  'AAAIAGdmjUQr/+iHAHLsZoE+AIBDT05UdQNmAetm0e114maJ2OhsAHLRZoE+AIBDT05UdMZmiR4EgmdmjUP/6FIAcre+BIC/' +
  'EIK5BgDzpWaJ2L8AgrRD6EQAcp++SX3ofABmidjoXgDoUABmQ2b/BhyCvQQAugAG7akAAXUG9E118+uevk196FQAugQGuAAg' +
  '7/Tr/b8AgGaJwbRC6wNmidlmgcEACAAAZokOZH2JPmB9sACygL5cfc0Tw2ahDILoBABmoQiCuQgAZsHABGZQJA88ChxpL+gP' +
  'AGZY4uzDrITAdBXoAgDr9ojEuv0D7KggdPiI4Lr4A+7DDQpCb290IAANCisADQpQb3dlciBvZmYuDQoAEAAB'

const MAGIC = 'CONT'
/** Bytes of a record, and where the first one is on the disk. */
export const RECORD_BYTES = 512
export const RECORDS_AT = 1024 * 1024

/** The boot sector of the guest. */
export function countingDisk(): Uint8Array {
  const sector = new Uint8Array(RECORD_BYTES)
  sector.set(base64ToUint8Array(code))
  sector.set([0x55, 0xaa], 510)
  return sector
}

/** A record that the guest has reported after it was on the disk. */
export interface Report {
  number: number
  /** Random id of the boot that wrote it. */
  boot: string
}

/** A record as it is on the disk. */
export interface CountingRecord extends Report {
  /** The record before, as the guest read it just before it wrote this one. */
  before: Report
  /** How many records the boot had written before, as its memory says. */
  written: number
}

/** The complete reports in a piece of the guest's serial output. */
export const reportsIn = (output: string): Report[] =>
  [...output.matchAll(/\+([0-9A-F]{8})([0-9A-F]{16})/g)].map(([, number, boot]) => ({
    number: Number.parseInt(number!, 16),
    boot: boot!,
  }))

/** @param bytes the disk from `RECORDS_AT` on */
export function recordsOf(bytes: Uint8Array): (CountingRecord | undefined)[] {
  const disk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const reportAt = (at: number): Report => ({
    number: disk.readUInt32LE(at),
    boot: disk
      .readBigUInt64LE(at + 4)
      .toString(16)
      .toUpperCase()
      .padStart(16, '0'),
  })
  const records: (CountingRecord | undefined)[] = []
  for (let at = 0; at + RECORD_BYTES <= disk.length; at += RECORD_BYTES) {
    const isRecord = disk.toString('latin1', at, at + 4) === MAGIC
    records.push(
      isRecord
        ? { ...reportAt(at + 4), before: reportAt(at + 16), written: disk.readUInt32LE(at + 28) }
        : undefined,
    )
  }
  return records.slice(0, records.findLastIndex((record) => record !== undefined) + 1)
}

const NONE: Report = { number: 0, boot: '0'.repeat(16) }
const isSame = (one: Report, other: Report) =>
  one.number === other.number && one.boot === other.boot
const wordsOf = ({ number, boot }: Report) => `record ${number} of boot ${boot}`

/**
 * The faults in the records of a guest; none if each boot went on where the one before had
 * ended, alone, and everything that was reported is there.
 */
export function faultsOf(
  records: readonly (CountingRecord | undefined)[],
  reports: readonly Report[],
): string[] {
  const faults: string[] = []
  const boots = new Set<string>()
  /** Undefined after a gap. */
  let last: Report | undefined = NONE
  /** How many records the boot of the last one had written. */
  let written = 0
  for (const [number, record] of records.entries()) {
    if (!record) {
      faults.push(`gap: record ${number} is missing`)
      last = undefined
      continue
    }
    if (record.number !== number) faults.push(`${wordsOf(record)} is in the place of ${number}`)
    if (last && !isSame(record.before, last)) {
      faults.push(`fork: ${wordsOf(record)} was written after ${wordsOf(record.before)}`)
    }
    const isNew = record.boot !== last?.boot
    if (last && isNew && boots.has(record.boot)) {
      faults.push(`fork: boot ${record.boot} goes on with record ${number}`)
    } else if (last && record.written !== (isNew ? 0 : written)) {
      faults.push(`fork: ${wordsOf(record)} was written with the memory of another moment`)
    }
    written = record.written + 1
    boots.add(record.boot)
    last = record
  }
  for (const report of reports) {
    const record = records[report.number]
    if (!record || !isSame(record, report)) faults.push(`lost: ${wordsOf(report)}`)
  }
  return faults
}
