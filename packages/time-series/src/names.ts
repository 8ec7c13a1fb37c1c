/** Names of files in the directory of the time series. */
import { basename } from 'node:path'

/** What is being written; a crash leaves it behind. */
export const UNFINISHED = '.unfinished'
export const isUnfinished = (name: string): boolean => name === UNFINISHED

const padded = (number: number): string => String(number).padStart(10, '0')

/**
 * The mark of a file with points of the future, which were set aside: those from a time on.
 * Milliseconds; Infinity for none.
 */
const mark = (until: number): string => (until === Infinity ? '' : `.ahead-${until}`)

/** When the points of the future in a file begin; Infinity if none were set aside. */
export const untilOf = (path: string): number => {
  const [, until] = /\.ahead-(\d+)\.(?:log|segment)$/.exec(path) ?? []
  return until === undefined ? Infinity : Number(until)
}

/** The log of a head. Numbers rise with time. */
export const logName = (number: number, until = Infinity): string =>
  `${padded(number)}${mark(until)}.log`

export const logNumber = (name: string): number | undefined => {
  const [, number] = /^(\d{10,})(?:\.ahead-\d+)?\.log$/.exec(name) ?? []
  return number === undefined ? undefined : Number(number)
}

/** A copy of a log that was damaged, for repairs: what was behind the damage is not read. */
export const damagedName = (name: string): string => `${name}.damaged`
export const isDamagedName = (name: string): boolean => name.endsWith('.damaged')

/** A segment has what was in the heads from one number to another. */
export const segmentName = (first: number, last: number, until = Infinity): string =>
  `${padded(first)}-${padded(last)}${mark(until)}.segment`

export const rangeOf = (path: string): [first: number, last: number] | undefined => {
  const [, first, last] =
    /^(\d{10,})-(\d{10,})(?:\.ahead-\d+)?\.segment$/.exec(basename(path)) ?? []
  return first === undefined ? undefined : [Number(first), Number(last)]
}
