/**
 * The port for the software of the hardware: what runs on the parts of sleds and switches, and how
 * something else is installed there. Which release that should be, and in which order, is not the
 * engine's to know.
 */
import type { ComponentKind, RolloutPartKind } from '@steading/api/rules'

/** A part of a sled or a switch that has software of its own. */
export interface SeenComponent {
  on: RolloutPartKind
  /** Serial number of the sled or switch. */
  serial: string
  kind: ComponentKind
  /** SHA-256 of the artifact that runs; null for what came with the hardware. */
  artifact: string | null
  /** What is being installed, and when that is expected to be done. */
  installing?: { artifact: string; readyAt: string }
}

export interface SeenSoftware {
  components: SeenComponent[]
  /** Serial numbers of sleds on which support has installed the software by another way. */
  recovered: string[]
}

export interface Updates {
  look: () => Promise<SeenSoftware>
  /**
   * Begins to install an artifact on a component, which restarts with it. Does nothing if the
   * artifact runs there or is being installed. While the sled does not respond, it goes no further.
   */
  install: (
    on: Pick<SeenComponent, 'serial' | 'kind'>,
    artifact: { hash: string; repositoryId: string },
  ) => Promise<void>
  /** Forgets that support has recovered sleds. */
  clearRecoveries: () => Promise<void>
}
