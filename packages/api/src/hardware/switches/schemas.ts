import { switchSlots } from '../sleds/hardware.ts'
import { dateTime, list, named, oneOf, record, string, uint32, uuid } from '../../schema.ts'

/** The hardware of a sled or a switch. */
export const Baseboard = record('Baseboard', { part: string, revision: uint32, serial: string })

/** The slot of a switch in its rack. */
export const SwitchSlot = named('SwitchSlot', oneOf(...switchSlots))

const switchFields = {
  id: uuid,
  baseboard: Baseboard,
  rack_id: uuid,
  time_created: dateTime,
  time_modified: dateTime,
}
export const Switch = record('Switch', switchFields)

/** A switch with the slot that system networking refers to. */
const SwitchDetails = record('SwitchDetails', { ...switchFields, slot: SwitchSlot })
export const SwitchDetailsList = record('SwitchDetailsList', { items: list(SwitchDetails) })
