/** A power supply unit that was put into a power shelf, or taken out of it. */
export interface PowerSupplyChange {
  change: 'insert' | 'remove'
  /** Slot of the shelf. */
  slot: number
  part_number: string
  serial_number: string
}

/** The port to the power shelf of the rack. */
export interface PowerShelf {
  /** Registers a callback for each change. The engine waits for it before it continues. */
  subscribe: (changed: (change: PowerSupplyChange) => Promise<void>) => void
}
