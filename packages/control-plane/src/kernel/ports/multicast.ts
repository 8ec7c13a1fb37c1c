/** Who receives what is sent to a group, and from whom. */
export interface MulticastGroup {
  id: string
  address: string
  /** Rises with every claim of the group; what an older one says comes too late. */
  version: number
  /** Machines that receive, each with the sources it takes packets from; none: from any. */
  receivers: { machineId: string; sources: readonly string[] }[]
}

/** The port for multicast. Every call may be repeated; the repetition has no effect. */
export interface Multicast {
  /** Makes a group have exactly these receivers; in effect when it returns. */
  apply: (group: MulticastGroup) => Promise<void>
  /** Removes a group: what is sent to it arrives nowhere any more. */
  remove: (groupId: string) => Promise<void>
  /** Ids of all groups of the engine. */
  list: () => Promise<string[]>
}
