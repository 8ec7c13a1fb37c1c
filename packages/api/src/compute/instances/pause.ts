/** Pauses of running machines by their hypervisor. */

/**
 * Reasons for which the hypervisor has paused a machine: the host has no room for what its guest
 * writes, or a disk fails in another way.
 */
export const pauseReasons = ['no_space', 'io_error'] as const
export type PauseReason = (typeof pauseReasons)[number]

/** Explains a pause to the owner of an instance. */
export const pauseMessages: Record<PauseReason, { title: string; body: string }> = {
  no_space: {
    title: 'The guest is paused: its host has no room',
    body: 'It has lost nothing, and continues by itself when an operator has made room on the host.',
  },
  io_error: {
    title: 'The guest is paused: one of its disks fails on the host',
    body: 'It does not continue by itself. When an operator has repaired the storage of the host, reboot the instance, or stop and start it.',
  },
}

/** Notice about a stop or a reboot that waits for the guest to shut down. */
export const guestWaitText = (state: string, seconds: number): string =>
  `Its power button was pressed. If the guest has not shut down after ${seconds} seconds, the machine is ${state === 'stopping' ? 'ended' : 'reset'}.`
