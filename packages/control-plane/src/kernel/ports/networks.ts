import type { Address } from '@steading/api/rules'
import type { Network } from '@steading/network'

/** The network around a machine, as it is at the moment. */
export interface Surroundings {
  network: Network
  /** The instance that runs as the machine. */
  instanceId: string
  /** The machine that another instance runs as. */
  machineOf: (instanceId: string) => Promise<string | undefined>
}

/**
 * What the control plane tells engines about networks: compiled from the present rows, for each
 * interface what it may send and receive, and where its packets go.
 */
export interface Networks {
  /**
   * @param addresses to which packets may go, to know who has them
   * @returns undefined if no instance runs as the machine
   */
  around: (machineId: string, addresses: readonly Address[]) => Promise<Surroundings | undefined>
}
