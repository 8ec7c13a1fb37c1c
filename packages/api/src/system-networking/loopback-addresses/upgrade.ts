import { versionOfProperty } from '../../version-history.ts'
import { isJsonObject } from '../../describe-json.ts'
import type { SchemaChange } from '../../versions.ts'

/** Older clients use another word for a switch slot. */
export const switchSlotCame = versionOfProperty('LoopbackAddress', 'switch_slot')

const renamed = (value: unknown, from: string, to: string): unknown => {
  if (!isJsonObject(value) || !(from in value) || to in value) return value
  const { [from]: slot, ...rest } = value
  return { ...rest, [to]: slot }
}

/** @param former name of the property in older clients' requests and answers */
export const switchSlotChange = (former: 'switch' | 'switch_location'): SchemaChange => ({
  until: switchSlotCame,
  upgradeRequest: (value) => renamed(value, former, 'switch_slot'),
  presentResponse: (value) =>
    isJsonObject(value) ? { ...value, [former]: value.switch_slot } : value,
})
