/** Selectable time ranges of charts. */
import type { Span } from './zoom.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

export type Preset = { id: string; label: string; ms: number }

const hour: Preset = { id: 'hour', label: 'Last hour', ms: HOUR_MS }
const threeHours: Preset = { id: '3-hours', label: 'Last 3 hours', ms: 3 * HOUR_MS }

/** For values that change over weeks. */
export const longPresets: Preset[] = [
  hour,
  threeHours,
  { id: 'day', label: 'Last day', ms: DAY_MS },
  { id: 'week', label: 'Last week', ms: 7 * DAY_MS },
  { id: '30-days', label: 'Last 30 days', ms: 30 * DAY_MS },
]
/** For values measured every few seconds. */
export const shortPresets: Preset[] = [
  hour,
  threeHours,
  { id: 'day', label: 'Last 24 hours', ms: DAY_MS },
]

/** The choice of a custom range. */
export const CUSTOM = 'custom'

export const endingNow = ({ ms }: Preset, now = Date.now()): Span => ({ from: now - ms, to: now })

/** Reason why a range is invalid. */
export const rangeProblem = ({ from, to }: Span): string | undefined =>
  from > to ? 'Date range is invalid' : undefined
