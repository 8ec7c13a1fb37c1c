import { switchSlotChange } from '../loopback-addresses/upgrade.ts'
import { ip } from '../../network.ts'
import { linkStates } from './rules.ts'
import {
  anything,
  dateTime,
  list,
  Name,
  named,
  NameOrId,
  oneOf,
  record,
  string,
  uint32,
  uint8,
  unionByKey,
  uuid,
} from '../../schema.ts'
import { LinkSpeed } from '../switch-port-settings/schemas.ts'
import { SwitchSlot } from '../../hardware/switches/schemas.ts'
import { changed } from '../../versions.ts'

const portFields = {
  id: uuid,
  port_name: Name,
  port_settings_id: uuid.nullable().optional(),
  rack_id: uuid,
  switch_slot: SwitchSlot,
}
export const SwitchPort = changed(
  record('SwitchPort', portFields),
  switchSlotChange('switch_location'),
)

export const SwitchPortApplySettings = record('SwitchPortApplySettings', {
  port_settings: NameOrId,
})

/** State of a port as reported by its switch, for people to read. */
export const SwitchLinkState = named('SwitchLinkState', anything)

const LinkState = named('LinkState', oneOf(...linkStates))

/** A link of a port as seen by the switch. */
const SwitchPortLink = record('SwitchPortLink', {
  link_name: Name,
  state: LinkState,
  /** Time of the last state change. */
  time_changed: dateTime,
  speed: LinkSpeed,
})

/** A port with its settings and the states of its links. */
export const SwitchPortDetails = record('SwitchPortDetails', {
  ...portFields,
  /** Unique within the rack: `switch0/qsfp0`. */
  name: string,
  port_settings_name: Name.nullable(),
  time_applied: dateTime.nullable(),
  links: list(SwitchPortLink),
})

const InterfaceNum = named(
  'InterfaceNum',
  unionByKey({ unknown: uint32, if_index: uint32, port_number: uint32 }),
)
const NetworkAddress = named('NetworkAddress', unionByKey({ ip_addr: ip, i_e_e_e802: list(uint8) }))
const ManagementAddress = record('ManagementAddress', {
  addr: NetworkAddress,
  interface_num: InterfaceNum,
  oid: list(uint8).nullable().optional(),
})

/** The other end of a link, as it describes itself. */
export const LldpNeighbor = record('LldpNeighbor', {
  chassis_id: string,
  first_seen: dateTime,
  last_seen: dateTime,
  link_description: string.nullable().optional(),
  link_name: string,
  local_port: string,
  management_ip: list(ManagementAddress),
  system_description: string.nullable().optional(),
  system_name: string.nullable().optional(),
})
