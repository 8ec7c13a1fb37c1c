import { switchSlotChange } from '../loopback-addresses/upgrade.ts'
import { ip } from '../../network.ts'
import { bfdModes, bfdStates } from './rules.ts'
import { list, named, oneOf, record, uint64, uint8 } from '../../schema.ts'
import { SwitchSlot } from '../../hardware/switches/schemas.ts'
import { changed } from '../../versions.ts'

const BfdMode = named('BfdMode', oneOf(...bfdModes))
const BfdState = named('BfdState', oneOf(...bfdStates))

const sessionFields = {
  local: ip.nullable().optional(),
  detection_threshold: uint8,
  required_rx: uint64,
  mode: BfdMode,
  switch_slot: SwitchSlot,
}

export const BfdSessionEnable = changed(
  record('BfdSessionEnable', { ...sessionFields, remote: ip }),
  switchSlotChange('switch'),
)
export const BfdSessionDisable = changed(
  record('BfdSessionDisable', { remote: ip, switch_slot: SwitchSlot }),
  switchSlotChange('switch'),
)
export const BfdStatuses = list(
  changed(
    record('BfdStatus', { ...sessionFields, peer: ip, state: BfdState }),
    switchSlotChange('switch'),
  ),
)
