import { lastChangeOf } from '../../version-history.ts'
import { isJsonObject } from '../../describe-json.ts'
import type { SchemaChange } from '../../versions.ts'

/** Older clients call the prefix length `prefix_len`. */
export const prefixLengthChange: SchemaChange = {
  until: lastChangeOf('ExternalSubnetAllocator'),
  upgradeRequest(allocator) {
    if (!isJsonObject(allocator) || 'prefix_length' in allocator) return allocator
    const { prefix_len, ...rest } = allocator
    return prefix_len === undefined ? allocator : { ...rest, prefix_length: prefix_len }
  },
}
