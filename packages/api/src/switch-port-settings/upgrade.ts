import { isJsonObject, NotAcceptableError, type SchemaChange } from '../versions.ts'

/** Since then, routers may be found on their links instead of being named by an address. */
const unnumberedCame = 2026021301

/** Older clients name a peer by its address alone. */
export const peerAddressChange: SchemaChange = {
  until: unnumberedCame,
  upgradeRequest: (value) =>
    isJsonObject(value) && typeof value.addr === 'string'
      ? { ...value, addr: { type: 'numbered', target_addr: value.addr } }
      : value,
  presentResponse(value) {
    if (!isJsonObject(value) || !isJsonObject(value.addr)) return value
    if (value.addr.type !== 'numbered') {
      throw new NotAcceptableError('unnumbered BGP peers not supported for client version')
    }
    return { ...value, addr: value.addr.target_addr }
  },
}
