import { canonicalAddress, ip, IpNet } from '../../network.ts'
import { loopbackMessages } from './rules.ts'
import { ADDRESS_MAX, ipVersion } from '../../rules/ip.ts'
import { boolean, dateTime, Name, NameOrId, record, text, uint8, uuid } from '../../schema.ts'
import { SwitchSlot } from '../../hardware/switches/schemas.ts'
import { changed } from '../../versions.ts'
import { switchSlotChange } from './upgrade.ts'

const loopbackFields = {
  id: uuid,
  rack_id: uuid,
  switch_slot: SwitchSlot,
  address: IpNet,
  address_lot_block_id: uuid,
}

export const LoopbackAddress = changed(
  record('LoopbackAddress', loopbackFields),
  switchSlotChange('switch_location'),
)

export const LoopbackAddressCreate = changed(
  record('LoopbackAddressCreate', {
    rack_id: uuid,
    switch_slot: SwitchSlot,
    address: ip,
    mask: uint8,
    address_lot: NameOrId,
    anycast: boolean,
  }),
  switchSlotChange('switch_location'),
)

/** The address in the path of a deletion. */
export const addressInPath = text(
  ADDRESS_MAX,
  { format: 'ip' },
  (value) => (ipVersion(value) ? undefined : loopbackMessages.invalidPath),
  canonicalAddress,
)

/** A loopback address with its lot. */
export const LoopbackAddressDetails = record('LoopbackAddressDetails', {
  ...loopbackFields,
  address_lot_id: uuid,
  address_lot_name: Name,
  anycast: boolean,
  time_created: dateTime,
})
