/** A power supply unit that was put into a power shelf, or taken out of it. */
export interface PowerSupplyChange {
  change: 'insert' | 'remove'
  /** Of the shelf. */
  slot: number
  part_number: string
  serial_number: string
}

/** The port to the power shelf of the rack. */
export interface PowerShelf {
  /** Has a function called with each change. The engine waits for it before it goes on. */
  subscribe: (changed: (change: PowerSupplyChange) => Promise<void>) => void
}
