/** An engine is a set of parts, each of which implements some of the ports. */
import { nameProblem } from '@steading/api/rules'
import type { Migrations } from './db/database.ts'
import type { Background } from './ports/background.ts'
import type { Engine, EnginePart, EnginePort, Engines } from './ports/engines.ts'

/** Ports without which there is no control plane. */
const required = ['hardware', 'machines', 'volumes', 'consoles'] as const

/** The part of an engine that implements a port. */
export const partWith = (
  { parts }: Pick<Engine, 'parts'>,
  port: EnginePort,
): EnginePart | undefined => parts.find(({ ports }) => ports.includes(port))

/** The name of an engine: that of the part that runs its machines. */
export const nameOf = (engine: Pick<Engine, 'parts'>): string => partWith(engine, 'machines')!.name

/** The tables of each part of an engine. */
export const migrationsOf = ({ parts }: Pick<Engine, 'parts'>): Migrations[] =>
  parts.map(({ migrations = {} }) => migrations)

/**
 * An engine of parts that together implement the ports.
 * @throws if a name is invalid, two parts have the same port, or none has a required one
 */
export function composeEngine<E extends Engines = Engines>(
  ...parts: readonly EnginePart[]
): Engine<E> {
  const engine: Engine<E> = {
    parts,
    open: (context) => Object.assign({}, ...parts.map(({ open }) => open(context))),
  }
  for (const part of parts) {
    const problem = nameProblem(part.name)
    if (problem !== undefined) throw new Error(`the part "${part.name}" of the engine: ${problem}`)
    for (const port of part.ports) {
      const first = partWith(engine, port)!
      if (first === part) continue
      throw new Error(
        `the parts "${first.name}" and "${part.name}" of the engine both have ${port}`,
      )
    }
  }
  const missing = required.find((port) => !partWith(engine, port))
  if (missing) throw new Error(`no part of the engine has ${missing}`)
  return engine
}

/** The parts of an engine, with a port left to a part of another one. */
export const partsWithout = ({ parts }: Pick<Engine, 'parts'>, port: EnginePort): EnginePart[] =>
  parts.map((part) => ({
    ...part,
    ports: part.ports.filter((one) => one !== port),
    open(context) {
      const opened = { ...part.open(context) }
      delete opened[port]
      return opened
    },
  }))

/** Parts with work in the background, in the order of their starts: machines need volumes and networks. */
const backgroundOf = ({
  volumes,
  machines,
  networking,
  vpcNetworks,
  multicast,
  uplinks,
  hosts,
}: Engines): (Background | undefined)[] => [
  volumes,
  vpcNetworks,
  machines,
  networking,
  multicast,
  uplinks,
  hosts,
]

/** @throws EngineStartError */
export async function startEngines(engines: Engines): Promise<void> {
  for (const one of backgroundOf(engines)) await one?.start?.()
}

/** Ends what `startEngines` has started. */
export async function closeEngines(engines: Engines): Promise<void> {
  for (const one of backgroundOf(engines).toReversed()) await one?.close?.()
}
