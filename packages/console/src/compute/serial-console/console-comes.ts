import type { InstanceState } from '@steading/api/rules'

/** Whether an instance is on its way to a serial console without anything else being done. */
export const consoleComes: Record<InstanceState, boolean> = {
  creating: true,
  starting: true,
  running: false,
  rebooting: false,
  migrating: false,
  repairing: false,
  stopping: false,
  stopped: false,
  failed: false,
  destroyed: false,
}
