/**
 * Records of use, and their prices. The database records use by its own clock, but half a year passes
 * in seconds here; so records are derived from the times of the resources. Runners of builds rest at
 * some days of each week.
 */
import { deriveUsage, GOES_ON, RECORDED_SINCE, writeSetting } from '@steading/control-plane'
import { DAY_MS } from '../file/move.ts'
import { type Cloud, must } from './cloud.ts'
import type { Moment } from './timeline.ts'

/** Weeks with days of rest. */
const WEEKS = 9
/** Days of a week on which runners work. */
const WORKED = 5
/** Age of the records in days. */
const RECORDED_DAYS = 180

/** Project whose instances rest. */
const RESTING = 'ci-runners'

const prices = {
  vcpu: '0.0125',
  memory: '0.0038',
  disk: '0.00011',
  snapshot: '0.00006',
  image: '0.00004',
  ephemeralIp: '0.003',
  floatingIp: '0.004',
  externalSubnet: '0.02',
}

export const usageMoments: Moment[] = [
  {
    daysAgo: 60,
    happen: async ({ api, present }) => {
      const dayAgo = (days: number) =>
        new Date(present.getTime() - days * DAY_MS).toISOString().slice(0, 10)
      const later = { ...prices, vcpu: '0.0119', memory: '0.0036' }
      const versions = [
        { validFrom: dayAgo(200), prices },
        { validFrom: dayAgo(45), prices: later },
      ]
      must(await api.priceListUpdate({ body: { currency: 'EUR', shownToSilos: true, versions } }))
    },
  },
]

export async function recordUsage({ controlPlane, db, present }: Cloud): Promise<void> {
  await deriveUsage(controlPlane.database)
  const now = present.getTime()
  await writeSetting(db, RECORDED_SINCE, new Date(now - RECORDED_DAYS * DAY_MS).toISOString())
  const { id } = await db
    .selectFrom('project')
    .select('id')
    .where('name', '=', RESTING)
    .executeTakeFirstOrThrow()
  const running = await db
    .selectFrom('usage_record')
    .selectAll()
    .where('project_id', '=', id)
    .where('metric', 'in', ['vcpu', 'memory'])
    .execute()
  for (const record of running) {
    const pieces = Array.from({ length: WEEKS + 1 }, (_, ago) => {
      const end = now - ago * 7 * DAY_MS
      // The oldest piece is all of the time before.
      const begin = ago === WEEKS ? 0 : end - WORKED * DAY_MS
      return {
        ...record,
        time_start: Math.max(record.time_start, begin),
        time_end: ago === 0 ? GOES_ON : end,
      }
    })
    await db
      .deleteFrom('usage_record')
      .where('thing_id', '=', record.thing_id)
      .where('metric', '=', record.metric)
      .execute()
    await db
      .insertInto('usage_record')
      .values(pieces.filter(({ time_start, time_end }) => time_start < time_end))
      .execute()
  }
}
