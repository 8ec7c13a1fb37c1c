/** File names in the time series directory. */
import { basename } from 'node:path'

/** Name of a file being written; a crash leaves it behind. */
export const UNFINISHED = '.unfinished'
export const isUnfinished = (name: string): boolean => name === UNFINISHED

const padded = (number: number): string => String(number).padStart(10, '0')

/**
 * Name suffix of a file with points of the future that are set aside, with their start in
 * milliseconds; none for Infinity.
 */
const mark = (until: number): string => (until === Infinity ? '' : `.ahead-${until}`)

/** Start of the points set aside in a file; Infinity if there are none. */
export const untilOf = (path: string): number => {
  const [, until] = /\.ahead-(\d+)\.(?:log|segment)$/.exec(path) ?? []
  return until === undefined ? Infinity : Number(until)
}

/** Name of a head's log. Numbers ascend with time. */
export const logName = (number: number, until = Infinity): string =>
  `${padded(number)}${mark(until)}.log`

export const logNumber = (name: string): number | undefined => {
  const [, number] = /^(\d{10,})(?:\.ahead-\d+)?\.log$/.exec(name) ?? []
  return number === undefined ? undefined : Number(number)
}

/** Name of a copy of a damaged log, kept for repairs: data after the damage is not read. */
export const damagedName = (name: string): string => `${name}.damaged`
export const isDamagedName = (name: string): boolean => name.endsWith('.damaged')

/** Name of a segment with the contents of a range of heads. */
export const segmentName = (first: number, last: number, until = Infinity): string =>
  `${padded(first)}-${padded(last)}${mark(until)}.segment`

export const rangeOf = (path: string): [first: number, last: number] | undefined => {
  const [, first, last] =
    /^(\d{10,})-(\d{10,})(?:\.ahead-\d+)?\.segment$/.exec(basename(path)) ?? []
  return first === undefined ? undefined : [Number(first), Number(last)]
}
