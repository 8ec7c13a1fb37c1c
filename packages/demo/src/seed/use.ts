/**
 * Usage of the last month, for forecasts. The control plane records it hourly, but half a year
 * passes in seconds here; so it is made up, and ends at the current usage.
 */
import { type ForecastResource, USE_KEPT_DAYS } from '@steading/api/rules'
import { allUses } from '@steading/control-plane'
import type { Cloud } from './cloud.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Growth within the month as a share of the current usage; all other usage is constant. */
const grown: { name: string; resource: ForecastResource; share: number }[] = [
  { name: 'main', resource: 'cpus', share: 0.12 },
  { name: 'main', resource: 'memory', share: 0.3 },
  { name: 'main', resource: 'storage', share: 0.42 },
  { name: 'observatory', resource: 'cpus', share: 0.25 },
  { name: 'observatory', resource: 'memory', share: 0.45 },
  { name: 'brewery', resource: 'memory', share: 0.3 },
  { name: 'legacy-v4', resource: 'addresses', share: 0.7 },
  { name: 'default', resource: 'addresses', share: 0.2 },
]

/** Deterministic weekly fluctuation. */
const unrest = (daysAgo: number) =>
  Math.sin(daysAgo * 1.7) * 0.5 + Math.sin(daysAgo * 0.45 + 1) * 0.5

/** Writes the usage of each day. */
export async function rememberUse({ db, present }: Cloud): Promise<void> {
  const rows = (await allUses(db)).flatMap(({ id, name, resource, used }) => {
    const share = grown.find((one) => one.name === name && one.resource === resource)?.share ?? 0
    return Array.from({ length: USE_KEPT_DAYS }, (_, index) => {
      const daysAgo = USE_KEPT_DAYS - index
      const part = 1 - (share * daysAgo) / USE_KEPT_DAYS + share * 0.12 * unrest(daysAgo)
      return {
        thing_id: id,
        resource,
        day: new Date(present.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10),
        used: Math.round(used * part),
      }
    })
  })
  const AT_ONCE = 200
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await db
      .insertInto('use_history')
      .values(rows.slice(from, from + AT_ONCE))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
