import type { Instance, InstanceUpdate } from '@steading/api/client'

/** The whole of what an update replaces: everything that is not to change is sent as it is. */
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
