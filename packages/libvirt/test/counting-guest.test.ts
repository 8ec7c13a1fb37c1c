/** The check of what guests have counted, by which the tests of several hosts decide. */
import { expect, test } from 'vitest'
import {
  faultsOf,
  RECORD_BYTES,
  recordsOf,
  type Report,
  reportsIn,
} from './support/counting-guest.ts'

const A = '0900271200000A01'
const B = '0900274500000B02'

/** A sector of the disk, as `counting-guest.S` writes it. */
function sector({ number, boot }: Report, before: Report, written = 0): Buffer {
  const bytes = Buffer.alloc(RECORD_BYTES)
  bytes.write('CONT', 'latin1')
  for (const [at, report] of [
    [4, { number, boot }],
    [16, before],
  ] as const) {
    bytes.writeUInt32LE(report.number, at)
    bytes.writeBigUInt64LE(BigInt(`0x${report.boot}`), at + 4)
  }
  bytes.writeUInt32LE(written, 28)
  return bytes
}
const empty = Buffer.alloc(RECORD_BYTES)
const none: Report = { number: 0, boot: '0'.repeat(16) }

/** The disk of a guest with a record of each boot, as it would be without any fault. */
const diskOf = (...boots: string[]): Buffer[] =>
  boots.map((boot, number) =>
    sector(
      { number, boot },
      number === 0 ? none : { number: number - 1, boot: boots[number - 1]! },
      boots.slice(0, number).filter((earlier) => earlier === boot).length,
    ),
  )
const faults = (sectors: readonly Buffer[], ...reports: Report[]) =>
  faultsOf(recordsOf(Buffer.concat(sectors)), reports)

test.each<[string, Buffer[], Report[], string[]]>([
  ['nothing was written', [empty, empty], [], []],
  ['one boot follows the other', [...diskOf(A, A, B), empty], [{ number: 2, boot: B }], []],
  [
    'a record was not reported before the guest was killed',
    diskOf(A, A),
    [{ number: 0, boot: A }],
    [],
  ],
  ['a record is missing', diskOf(A, A, A).with(1, empty), [], ['gap: record 1 is missing']],
  [
    'the last record that was reported is missing',
    [...diskOf(A, A), empty],
    [{ number: 2, boot: A }],
    [`lost: record 2 of boot ${A}`],
  ],
  [
    'a reported record was overwritten by another boot',
    diskOf(A, B),
    [{ number: 1, boot: A }],
    [`lost: record 1 of boot ${A}`],
  ],
  ['two boots take turns', diskOf(A, B, A), [], [`fork: boot ${A} goes on with record 2`]],
  [
    'a boot did not read what the other one had written',
    [...diskOf(A, A), sector({ number: 2, boot: B }, { number: 1, boot: B })],
    [],
    [`fork: record 2 of boot ${B} was written after record 1 of boot ${B}`],
  ],
  [
    'a guest goes on with the memory of an earlier moment',
    [...diskOf(A, A), sector({ number: 2, boot: A }, { number: 1, boot: A }, 1)],
    [],
    [`fork: record 2 of boot ${A} was written with the memory of another moment`],
  ],
  [
    'a record is in another place',
    [...diskOf(A), sector({ number: 7, boot: A }, { number: 0, boot: A }, 1)],
    [],
    [`record 7 of boot ${A} is in the place of 1`],
  ],
])('%s', (_, sectors, reports, expected) => {
  expect(faults(sectors, ...reports)).toEqual(expected)
})

test('only complete lines of the console are reports', () => {
  expect(reportsIn(`\r\nBoot ${A}\r\n+0000000F${A}\r\n+00000010${A.slice(1)}`)).toEqual([
    { number: 15, boot: A },
  ])
})
