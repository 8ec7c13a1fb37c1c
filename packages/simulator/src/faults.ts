import type { Volumes } from '@steading/control-plane/ports'

/** Called before each action of an engine; if it throws, the action fails. */
export type Fault = (action: string, id: string) => void

/** Injects faults into engines. */
export interface Faults {
  check: Fault
  /** Injects a fault into further actions; without an argument, removes it. */
  inject: (fault?: Fault) => void
}

export function createFaults(): Faults {
  let injected: Fault | undefined
  return {
    check: (action, id) => injected?.(action, id),
    inject: (fault) => void (injected = fault),
  }
}

/** Volumes whose actions fail when a fault is injected. */
export const withFaults = (volumes: Volumes, { check }: Faults): Volumes => ({
  ...volumes,
  async create(id, spec) {
    check('createVolume', id)
    await volumes.create(id, spec)
  },
  async delete(id) {
    check('deleteVolume', id)
    await volumes.delete(id)
  },
  async createSnapshot(id, source) {
    check('createSnapshot', id)
    await volumes.createSnapshot(id, source)
  },
  async deleteSnapshot(id) {
    check('deleteSnapshot', id)
    await volumes.deleteSnapshot(id)
  },
  async write(id, offset, data) {
    check('writeVolume', id)
    await volumes.write(id, offset, data)
  },
  async read(id, offset, length) {
    check('readVolume', id)
    return volumes.read(id, offset, length)
  },
})
