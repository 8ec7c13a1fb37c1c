/** Bodies and waits that many tests need. */
import type { Wire } from '@steading/api'
import { GiB, type InstanceState } from '@steading/api/rules'
import { expect, vi } from 'vitest'
import type { Caller } from './caller.ts'

export const blankDisk = (name: string, values: object = {}) => ({
  name,
  description: '',
  size: GiB,
  disk_backend: { type: 'distributed', disk_source: { type: 'blank', block_size: 512 } },
  ...values,
})

/** A small instance that is not started. */
export const smallInstance = (name: string, values: object = {}) => ({
  name,
  description: '',
  hostname: name,
  ncpus: 1,
  memory: GiB,
  start: false,
  ...values,
})

/** What `instance_update` needs to keep everything as it is. */
export const unchanged = (instance: Wire.Instance): Wire.InstanceUpdate => ({
  ncpus: instance.ncpus,
  memory: instance.memory,
  boot_disk: instance.boot_disk_id ?? null,
  auto_restart_policy: instance.auto_restart_policy ?? null,
  cpu_platform: instance.cpu_platform ?? null,
  enable_jumbo_frames: instance.enable_jumbo_frames,
  multicast_groups: null,
})

/** Asks until an instance is in a state; the test's own time limit ends a wait for nothing. */
export async function reaches(
  caller: Caller,
  id: string,
  state: InstanceState,
): Promise<Wire.Instance> {
  const view = () => caller.call('instance_view', { params: { instance: id } })
  return vi.waitFor(
    async () => {
      const instance = await view()
      expect(instance.run_state).toBe(state)
      return instance
    },
    { timeout: 10_000, interval: 10 },
  )
}
