/** Parts that not every engine has (`engineParts` in the contract). */
import { type EnginePart, engineParts, notWithEngine } from '@steading/api/rules'
import { fail } from './errors.ts'
import type { EngineDescription, Engines } from './ports/engines.ts'
import type { ControlPlaneServices } from './services.ts'

export const describeEngine = (name: string, engines: Engines): EngineDescription => ({
  name,
  lacks: engineParts.filter((part) => {
    if (part === 'migration') return !engines.machines.migrate
    if (part === 'replicas') return engines.hardware.replicas === 0
    return engines[part] === undefined
  }),
})

/** @throws ApiError 501 if the engine lacks a part */
export function requirePart({ name, lacks }: EngineDescription, part: EnginePart): void {
  if (lacks.includes(part)) throw fail.notImplemented(notWithEngine(part, name))
}

/**
 * A part of the engine.
 * @throws ApiError 501 if the engine lacks it
 */
export function enginePart<Part extends 'uplinks' | 'updates' | 'displays'>(
  services: Pick<ControlPlaneServices, 'engine' | Part>,
  part: Part,
): NonNullable<ControlPlaneServices[Part]> {
  const found: ControlPlaneServices[Part] = services[part]
  if (!found) throw fail.notImplemented(notWithEngine(part, services.engine.name))
  return found
}
