/** Rules of BFD sessions, which detect a dead path to a router (control plane 10.2). */
import { ipVersion } from '../../rules/ip.ts'

export const bfdModes = ['single_hop', 'multi_hop'] as const
export type BfdMode = (typeof bfdModes)[number]

export const bfdStates = ['admin_down', 'down', 'init', 'up'] as const
export type BfdState = (typeof bfdStates)[number]

/** Intervals are 32-bit microseconds. */
export const BFD_INTERVAL_MAX = 0xffffffff

export const bfdMessages = {
  families: 'local and remote must be of the same address family',
  threshold: 'must be at least 1',
  interval: `must be from 1 to ${BFD_INTERVAL_MAX} microseconds`,
} as const

/** Reason that a session cannot connect two addresses. */
export const bfdEndsProblem = (remote: string, local: string | null | undefined) =>
  local && ipVersion(local) !== ipVersion(remote) ? bfdMessages.families : undefined

/** Microseconds that a peer may be silent before it counts as dead. */
export const bfdDetectionTime = (requiredRx: number, threshold: number): number =>
  requiredRx * threshold
