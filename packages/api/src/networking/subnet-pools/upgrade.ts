import { isJsonObject, type SchemaChange } from '../../versions.ts'

/** The use of a pool became what is left of it; clients before that read what is allocated. */
export const utilizationChange: SchemaChange = {
  until: 2026032300,
  presentResponse(value) {
    if (!isJsonObject(value)) return value
    const { capacity, remaining } = value as { capacity: number; remaining: number }
    return { capacity, allocated: capacity - remaining }
  },
}
