import type { Instance, InstanceUpdate } from '@steading/api/client'

/** The complete body of an update: properties that do not change are sent with their current values. */
export const instanceUpdate = (
  instance: Instance,
  changes: Partial<InstanceUpdate>,
): InstanceUpdate => ({
  ncpus: instance.ncpus,
  memory: instance.memory,
  bootDisk: instance.bootDiskId ?? null,
  autoRestartPolicy: instance.autoRestartPolicy ?? null,
  cpuPlatform: instance.cpuPlatform ?? null,
  enableJumboFrames: instance.enableJumboFrames,
  ...changes,
})
