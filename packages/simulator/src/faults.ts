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
  async create(id, spec, fence) {
    check('createVolume', id)
    await volumes.create(id, spec, fence)
  },
  async delete(id, fence) {
    check('deleteVolume', id)
    await volumes.delete(id, fence)
  },
  async grow(id, size, fence) {
    check('growVolume', id)
    await volumes.grow(id, size, fence)
  },
  async rollBack(id, snapshotId, fence) {
    check('rollBackVolume', id)
    await volumes.rollBack(id, snapshotId, fence)
  },
  async createSnapshot(id, source, fence) {
    check('createSnapshot', id)
    return volumes.createSnapshot(id, source, fence)
  },
  async deleteSnapshot(id, fence) {
    check('deleteSnapshot', id)
    await volumes.deleteSnapshot(id, fence)
  },
  async attach(id, machineId, fence) {
    check('attachVolume', id)
    return volumes.attach(id, machineId, fence)
  },
  async detach(id, machineId, fence) {
    check('detachVolume', id)
    await volumes.detach(id, machineId, fence)
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
