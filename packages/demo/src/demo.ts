import {
  type ControlPlane,
  createControlPlane,
  createSession,
  type DatabaseHost,
  memoryBlockStore,
} from '@steading/control-plane'
import { simulatedEngine, type SimulatedEngines, simulatedHistory } from '@steading/simulator'
import { memoryTimeSeries } from '@steading/time-series/memory'
import { demoDiagnostics } from './host/diagnostics.ts'
import { demoPasswords } from './host/passwords.ts'
import { demoSaml } from './host/saml.ts'
import { demoWebhooks } from './host/webhooks.ts'
import { createDemoClock } from './seed/clock.ts'
import { people } from './seed/people.ts'
import { seed } from './seed/seed.ts'

/** Durations of simulated machine transitions in milliseconds. */
const UNHURRIED = { bootMs: 4_000, stopMs: 1_500, rebootMs: 3_000 }
const AT_ONCE = { bootMs: 0, stopMs: 0, rebootMs: 0 }

/** Starts a control plane with a cloud that has been in use for a while. */
export async function startControlPlane(
  database: DatabaseHost,
  origin: string,
): Promise<ControlPlane<SimulatedEngines>> {
  const clock = createDemoClock()
  const simulated = { ...AT_ONCE }
  const engine = simulatedEngine(memoryBlockStore(), simulated)
  const controlPlane = await createControlPlane({
    database,
    passwords: demoPasswords,
    saml: demoSaml,
    webhooks: demoWebhooks,
    diagnostics: demoDiagnostics,
    engine: {
      ...engine,
      open(parts) {
        const engines = engine.open(parts)
        const { uplinks } = engines
        // Measurements of the rack are computed on demand, so they need not be collected.
        const timeSeries = simulatedHistory(parts, uplinks, simulated, memoryTimeSeries())
        return { ...engines, measurements: undefined, timeSeries }
      },
    },
    collects: true,
    clock: clock.now,
    settings: { multicast: true },
  })
  await seed(controlPlane, clock, origin)
  Object.assign(simulated, UNHURRIED)
  return controlPlane
}

/**
 * Opens a session for a user.
 * @param displayName of the user; the first user if nobody has it
 * @returns its token
 */
export async function signIn(
  { database: { db } }: ControlPlane,
  displayName: string = people[0].name,
): Promise<string> {
  const user = (name: string) =>
    db.selectFrom('silo_user').select('id').where('display_name', '=', name).executeTakeFirst()
  const { id } = (await user(displayName)) ?? (await user(people[0].name))!
  return createSession(db, id, new Date())
}
