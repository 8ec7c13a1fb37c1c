import type { Cloud } from './cloud.ts'

/** An event in the history of the cloud. */
export interface Moment {
  daysAgo: number
  happen: (cloud: Cloud) => Promise<unknown>
}

/**
 * Spreads the events of a day over a short time compared with the time between dependent events.
 */
const SPREAD_DAYS = 0.25
const GOLDEN = 0.618034

const spread = (moments: Moment[]): Moment[] =>
  moments.map((moment, index) =>
    moment.daysAgo < 1
      ? moment
      : { ...moment, daysAgo: moment.daysAgo - ((index * GOLDEN) % 1) * SPREAD_DAYS },
  )

/** Runs all events in order of time. */
export async function live(cloud: Cloud, moments: Moment[]): Promise<void> {
  for (const moment of spread(moments).sort((a, b) => b.daysAgo - a.daysAgo)) {
    await cloud.travelTo(moment.daysAgo)
    await moment.happen(cloud)
  }
  await cloud.settled()
}
