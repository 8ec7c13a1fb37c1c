import type { Address } from '@steading/api/rules'
import type { Network } from '@steading/network'

/** The present network around a machine. */
export interface Surroundings {
  network: Network
  /** The instance that runs as the machine. */
  instanceId: string
  /** The machine that another instance runs as. */
  machineOf: (instanceId: string) => Promise<string | undefined>
}

/**
 * The networks as engines see them: compiled from the present rows, with the packets that each
 * interface may send and receive, and their routes.
 */
export interface Networks {
  /**
   * @param addresses destinations of packets, to find who has them
   * @returns undefined if no instance runs as the machine
   */
  around: (machineId: string, addresses: readonly Address[]) => Promise<Surroundings | undefined>
}
