import {
  type ControlPlane,
  createControlPlane,
  createSession,
  type DatabaseHost,
} from '@steading/control-plane'
import type { BlockStore } from '@steading/control-plane/ports'
import {
  simulatedEngine,
  type SimulatedEngines,
  simulatedHistory,
  type SimulatedOptions,
} from '@steading/simulator'
import { memoryTimeSeries } from '@steading/time-series/memory'
import { demoDiagnostics } from './host/diagnostics.ts'
import { demoPasswords } from './host/passwords.ts'
import { demoOidc } from './host/oidc.ts'
import { demoSaml } from './host/saml.ts'
import { demoWebhooks } from './host/webhooks.ts'
import { people } from './seed/people.ts'

/** The contents of the demo's cloud. */
export interface Cloud {
  database: DatabaseHost
  blocks: BlockStore
}

interface DemoOptions extends Cloud {
  clock?: () => Date
  /** Durations of simulated machine transitions in milliseconds. */
  durations?: SimulatedOptions
}

const UNHURRIED = { bootMs: 4_000, stopMs: 1_500, rebootMs: 3_000 }

/** The control plane of the demo; nothing runs before its `start`. */
export function composeDemo({
  database,
  blocks,
  clock,
  durations = UNHURRIED,
}: DemoOptions): Promise<ControlPlane<SimulatedEngines>> {
  const engine = simulatedEngine(blocks, durations)
  return createControlPlane({
    database,
    passwords: demoPasswords,
    host: {
      saml: demoSaml,
      oidc: demoOidc,
      webhooks: demoWebhooks,
      diagnostics: demoDiagnostics,
    },
    engine: {
      ...engine,
      open(parts) {
        const engines = engine.open(parts)
        const { uplinks } = engines
        // Measurements of the rack are computed on demand, so they need not be collected.
        const timeSeries = simulatedHistory(parts, uplinks, durations, memoryTimeSeries())
        return { ...engines, measurements: undefined, timeSeries }
      },
    },
    collects: true,
    clock,
    settings: { multicast: true },
  })
}

/** Starts the control plane of a filled cloud. */
export async function startDemo(
  cloud: Cloud,
  clock?: () => Date,
): Promise<ControlPlane<SimulatedEngines>> {
  const controlPlane = await composeDemo({ ...cloud, clock })
  // They were moved to this clock together with all other times.
  await controlPlane.start({ keepsAlarms: true })
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
  now = new Date(),
): Promise<string> {
  const user = (name: string) =>
    db.selectFrom('silo_user').select('id').where('display_name', '=', name).executeTakeFirst()
  const { id } = (await user(displayName)) ?? (await user(people[0].name))!
  return createSession(db, id, now)
}
