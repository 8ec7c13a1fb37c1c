import { isJsonObject } from '../../describe-json.ts'
import type { SchemaChange } from '../../versions.ts'

/**
 * The next published version calls the contents of an alert `payload`. The change is declared for
 * `Alert`, together with the new name of the property, when that version is served.
 */
export const payloadChange: SchemaChange = {
  until: 2026091100,
  presentResponse(value) {
    if (!isJsonObject(value) || !('payload' in value)) return value
    const { payload, ...alert } = value
    return { ...alert, alert: payload }
  },
}
