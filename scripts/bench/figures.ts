import type { Load } from './requests.ts'

const ms = (value: number): string => `${value.toFixed(1)} ms`.padStart(9)

/** A line of a table with the two latencies and further figures. */
export const figuresText = (
  name: string,
  { p50, p99 }: Omit<Load, 'perSecond'>,
  ...more: number[]
) => `${name.padEnd(36)}${[p50, p99, ...more].map(ms).join('')}`
