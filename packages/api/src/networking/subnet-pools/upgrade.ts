import { versionOfProperty } from '../../version-history.ts'
import { isJsonObject } from '../../describe-json.ts'
import type { SchemaChange } from '../../versions.ts'

/** Older clients read the allocated number of a pool instead of the free one. */
export const utilizationChange: SchemaChange = {
  until: versionOfProperty('SubnetPoolUtilization', 'remaining'),
  presentResponse(value) {
    if (!isJsonObject(value)) return value
    const { capacity, remaining } = value as { capacity: number; remaining: number }
    return { capacity, allocated: capacity - remaining }
  },
}
