/** Bytes of the largest packet of an instance with jumbo frames. */
export const JUMBO_MTU = 8500

/** Network settings of the whole fleet (control plane 10.2). */
export const jumboFramesMessages = {
  create:
    'enable_jumbo_frames may only be set on an instance when the fleet-wide jumbo-frames opt-in is enabled by a fleet administrator',
  update:
    'enable_jumbo_frames may only be set to true when the fleet-wide jumbo-frames opt-in is enabled by a fleet administrator',
} as const
