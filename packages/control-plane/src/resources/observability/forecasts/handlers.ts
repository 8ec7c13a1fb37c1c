import type { tables, Wire } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { type Day, forecast, paceOf } from './forecast.ts'
import {
  allUses,
  readHistory,
  timeOfDay,
  upToNow,
  type Use,
  usesOfIpPools,
  usesOfSilo,
  usesOfSubnetPools,
} from './history.ts'

/** Most items in the forecast of the system, the first to run out. */
const SHOWN = 8
/** Forecast batch size per event-loop turn. */
const AT_ONCE = 50

function toWireForecast({ resource, used, capacity }: Use, history: Day[]): Wire.UseForecast {
  const { outlook, runsOut } = forecast(history, used, capacity)
  return {
    resource,
    used,
    capacity,
    history: history.map(({ day, used: most }) => ({ time_begun: timeOfDay(day), used: most })),
    days: history.at(-1)!.day - history[0]!.day,
    outlook,
    runs_out: runsOut
      ? {
          time_earliest: timeOfDay(runsOut.earliest),
          time_likely: timeOfDay(runsOut.likely),
          time_latest: runsOut.latest === undefined ? null : timeOfDay(runsOut.latest),
        }
      : null,
  }
}

async function forecastsOf(db: Db, now: Date, uses: Use[]): Promise<Wire.UseForecasts> {
  const historyOf = await readHistory(db, [...new Set(uses.map(({ id }) => id))])
  return {
    forecasts: uses.map((use) => toWireForecast(use, upToNow(historyOf(use), use.used, now))),
  }
}

/** Exhausted resources first, then those that will be next. */
async function firstToRunOut(db: Db, now: Date): Promise<Wire.SystemForecast['items']> {
  const historyOf = await readHistory(db)
  const found: { use: Use; history: Day[]; days: number }[] = []
  for (const [index, use] of (await allUses(db)).entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await yieldToEventLoop()
    // A resource without capacity cannot run out.
    if (use.capacity === 0) continue
    const history = upToNow(historyOf(use), use.used, now)
    const left = Math.max(0, use.capacity - use.used)
    const pace = paceOf(history) ?? 0
    if (left > 0 && pace <= 0) continue
    found.push({ use, history, days: left === 0 ? 0 : left / pace })
  }
  return found
    .toSorted((a, b) => a.days - b.days)
    .slice(0, SHOWN)
    .map(({ use, history }) => ({
      kind: use.kind,
      id: use.id,
      name: use.name,
      forecast: toWireForecast(use, history),
    }))
    .filter(({ forecast: { outlook, runs_out } }) => outlook === 'full' || runs_out !== null)
}

export const forecastHandlers: Handlers<typeof tables.forecastOperations> = {
  async utilization_forecast(ctx) {
    const silo = await lookup(ctx, 'silo', ctx.actor.siloId)
    return forecastsOf(ctx.db, ctx.now, usesOfSilo(silo))
  },

  async system_forecast(ctx) {
    authorize(ctx, 'fleet', {})
    return { items: await firstToRunOut(ctx.db, ctx.now) }
  },

  silo_forecast: async (ctx) =>
    forecastsOf(ctx.db, ctx.now, usesOfSilo(await lookup(ctx, 'silo', ctx.params.silo))),

  async system_ip_pool_forecast(ctx) {
    const pool = await lookup(ctx, 'system_ip_pool', ctx.params.pool)
    return forecastsOf(ctx.db, ctx.now, await usesOfIpPools(ctx.db, [pool]))
  },

  async system_subnet_pool_forecast(ctx) {
    const pool = await lookup(ctx, 'system_subnet_pool', ctx.params.pool)
    return forecastsOf(ctx.db, ctx.now, await usesOfSubnetPools(ctx.db, [pool]))
  },
}
