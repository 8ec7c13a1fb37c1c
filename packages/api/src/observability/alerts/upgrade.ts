import { isJsonObject } from '../../describe-json.ts'
import type { SchemaChange } from '../../versions.ts'

/**
 * The contents of an alert are called `payload` from the next published version on. Declared for
 * `Alert`, with the property in its new name, when that version is served.
 */
export const payloadChange: SchemaChange = {
  until: 2026091100,
  presentResponse(value) {
    if (!isJsonObject(value) || !('payload' in value)) return value
    const { payload, ...alert } = value
    return { ...alert, alert: payload }
  },
}
