import type { Background } from './background.ts'

/** The receivers of a group, and the sources each accepts. */
export interface MulticastGroup {
  id: string
  address: string
  /** Rises with every claim of the group; a call with an older one is too late. */
  version: number
  /** Machines that receive, each with the sources it accepts packets from; none: from any. */
  receivers: { machineId: string; sources: readonly string[] }[]
}

/** The port for multicast. Every call may be repeated; the repetition has no effect. */
export interface Multicast extends Background {
  /**
   * Sets the receivers of a group.
   * @returns whether that is in effect; otherwise it is asked again a little later
   */
  apply: (group: MulticastGroup) => Promise<boolean>
  /** Removes a group: packets sent to it no longer arrive anywhere. */
  remove: (groupId: string) => Promise<void>
  /** Ids of all groups of the engine. */
  list: () => Promise<string[]>
}
