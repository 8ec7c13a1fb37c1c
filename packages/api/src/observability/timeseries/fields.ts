/** Fields shared by several targets. */
import { i16, text, u16, u32, u8, uuid } from './vocabulary.ts'

export const rack = { rack_id: uuid('ID of the rack') }

const sledItself = {
  sled_id: uuid('ID of the sled'),
  sled_model: text('Part number of the sled'),
  sled_revision: u32('Revision of the sled'),
  sled_serial: text('Serial number of the sled'),
}
/** Sled of a target that has a rack field of its own, or whose rack is irrelevant. */
export const sledWithoutRack = sledItself
export const sled = { ...rack, ...sledItself }

export const switchFields = {
  switch_id: uuid('ID of the switch'),
  switch_model: text('Part number of the switch'),
  switch_revision: u32('Revision of the switch'),
  switch_serial: text('Serial number of the switch'),
  switch_slot: u16('Slot of the switch in its rack'),
}

/** Manufacturing data of a switch chip. */
export const asic = {
  asic_fab: text('Plant that made the switch chip'),
  asic_lot: text('Manufacturing lot of the switch chip'),
  asic_wafer: u8('Wafer of the switch chip within its lot'),
  asic_wafer_loc_x: i16('Column of the chip on its wafer'),
  asic_wafer_loc_y: i16('Row of the chip on its wafer'),
}

/** Sled program that routes for a switch. */
export const host = {
  hostname: text('Name of the host that the program runs on'),
  ...rack,
  sled_id: uuid('ID of the sled that the program runs on'),
}

/** Fields of project resources; queries of project members are filtered by them. */
export const ofProject = {
  project_id: uuid('ID of the project'),
  silo_id: uuid('ID of the silo'),
}
