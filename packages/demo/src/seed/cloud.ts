import { createClient, type ApiClient, type ApiResult } from '@steading/api/client'
import { SESSION_COOKIE } from '@steading/api/rules'
import { type ControlPlane, createSession } from '@steading/control-plane'
import type { SimulatedEngines } from '@steading/simulator'
import { type CookieJar, createCookieJar } from '../host/cookie-jar.ts'
import { DAY_MS } from '../file/move.ts'
import { ask } from '../host/page-fetch.ts'
import type { DemoClock } from './clock.ts'

/** Time until the administrator signs in again; sessions last longer, but not for days. */
const SESSION_MS = 6 * 60 * 60 * 1000
/** Rows due within this time, in milliseconds, are still changing; later alarms are cooldowns. */
const SOON_MS = 10_000

/** The cloud during seeding: its API, and the database for rows that the API cannot create. */
export interface Cloud {
  /** The API as the administrator; failures throw. */
  api: ApiClient
  /** Sends an administrator's request for a path without a client method. */
  fetch: (path: string, init: RequestInit) => Promise<Response>
  /** Origin of the demo site. */
  origin: string
  /** The API as another user, until the clock is set. */
  as: (userId: string) => Promise<ApiClient>
  controlPlane: ControlPlane<SimulatedEngines>
  db: ControlPlane['database']['db']
  /** The time that all ages count from. */
  present: Date
  /** The time of the seeded cloud, RFC 3339. */
  now: () => string
  /** Sets the clock to a time in the past. */
  travelTo: (daysAgo: number) => Promise<void>
  /** Waits until the reconciler has nothing more to do. */
  settled: () => Promise<void>
}

export const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve))

export const must = <T>(result: ApiResult<T>): T => {
  if (result.type === 'success') return result.data
  throw new Error(`seeding failed: ${result.status} ${JSON.stringify(result)}`)
}

/** Whether a schedule is due, or has a run in progress. */
const isScheduleBusy = async (db: Cloud['db'], now: Date): Promise<boolean> =>
  Boolean(
    await db
      .selectFrom('schedule')
      .leftJoin('schedule_run', (join) =>
        join
          .onRef('schedule_run.schedule_id', '=', 'schedule.id')
          .on('schedule_run.state', '=', 'running'),
      )
      .select('schedule.id')
      .where((eb) =>
        eb.or([
          eb('schedule.reconcile_at', '<=', now.toISOString()),
          eb('schedule.lease_until', 'is not', null),
          eb('schedule_run.id', 'is not', null),
        ]),
      )
      .executeTakeFirst(),
  )

export function createCloud(
  controlPlane: ControlPlane<SimulatedEngines>,
  clock: DemoClock,
  origin: string,
  adminId: string,
): Cloud {
  const { db } = controlPlane.database
  const jar = createCookieJar()
  let signedInUntil = 0
  const signIn = async (to: CookieJar, userId: string) =>
    to.set(SESSION_COOKIE, await createSession(db, userId, clock.now()))
  const clientWith = (cookies: CookieJar) =>
    createClient({
      baseUrl: origin,
      fetch: (input, init) => ask(controlPlane, cookies, new Request(input, init)),
    })
  /** Runs of schedules are observed after a while, by a clock that otherwise stands still. */
  const tick = async () => {
    await nextTurn()
    clock.set(new Date(clock.now().getTime() + 1))
  }
  return {
    controlPlane,
    db,
    origin,
    present: clock.present,
    api: clientWith(jar),
    fetch: (path, init) => ask(controlPlane, jar, new Request(new URL(path, origin), init)),
    async as(userId) {
      const own = createCookieJar()
      await signIn(own, userId)
      return clientWith(own)
    },
    now: () => clock.now().toISOString(),
    async travelTo(daysAgo) {
      const time = clock.present.getTime() - daysAgo * DAY_MS
      // A run of a schedule that hours pass over would be too late.
      while (await isScheduleBusy(db, clock.now())) await tick()
      clock.set(new Date(time))
      if (time < signedInUntil) return
      signedInUntil = time + SESSION_MS
      await signIn(jar, adminId)
    },
    async settled() {
      for (;;) {
        const soon = new Date(clock.now().getTime() + SOON_MS).toISOString()
        const due = await Promise.all(
          (['instance', 'disk', 'snapshot', 'rack', 'schedule'] as const).map((table) =>
            db
              .selectFrom(table)
              .select('id')
              .where((eb) =>
                eb.or([eb('reconcile_at', '<=', soon), eb('lease_until', 'is not', null)]),
              )
              .executeTakeFirst(),
          ),
        )
        if (due.every((row) => !row)) return
        await tick()
      }
    },
  }
}
