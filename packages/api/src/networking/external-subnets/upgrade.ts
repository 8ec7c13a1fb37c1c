import { isJsonObject, type SchemaChange } from '../../versions.ts'

/** Clients from before 2026032300 call the length of the prefix `prefix_len`. */
export const prefixLengthChange: SchemaChange = {
  until: 2026032300,
  upgradeRequest(allocator) {
    if (!isJsonObject(allocator) || 'prefix_length' in allocator) return allocator
    const { prefix_len, ...rest } = allocator
    return prefix_len === undefined ? allocator : { ...rest, prefix_length: prefix_len }
  },
}
