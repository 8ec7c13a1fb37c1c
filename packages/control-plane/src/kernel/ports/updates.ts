/**
 * The port for the software of the hardware: the versions that run on the parts of sleds and
 * switches, and the installation of others. The engine does not know which release is wanted, nor
 * in which order.
 */
import type { ComponentKind, RolloutPartKind } from '@steading/api/rules'

/** A part of a sled or a switch that has software of its own. */
export interface SeenComponent {
  on: RolloutPartKind
  /** Serial number of the sled or switch. */
  serial: string
  kind: ComponentKind
  /** SHA-256 of the running artifact; null for the software it came with. */
  artifact: string | null
  /** The artifact being installed, and the expected time of completion. */
  installing?: { artifact: string; readyAt: string }
}

export interface SeenSoftware {
  components: SeenComponent[]
  /** Serial numbers of sleds whose software support has installed by other means. */
  recovered: string[]
}

export interface Updates {
  look: () => Promise<SeenSoftware>
  /**
   * Begins to install an artifact on a component, which restarts with it. Does nothing if the
   * artifact runs there or is being installed. Makes no progress while the sled does not respond.
   */
  install: (
    on: Pick<SeenComponent, 'serial' | 'kind'>,
    artifact: { hash: string; repositoryId: string },
  ) => Promise<void>
  /** Clears the list of recovered sleds. */
  clearRecoveries: () => Promise<void>
}
