import { camel, type MethodName } from '@steading/api/client'
import { kindNames, kindTable } from '@steading/api/rules'

/**
 * Resource of an event → the reads that a change puts out of date, and the argument that names one.
 * A read that names another one than the changed is left alone: in a list of fifty instances, one
 * that starts must not have the addresses of all read again.
 */
export const liveResources: Record<string, { reads: MethodName[]; argument: string }> = {}
for (const kind of kindNames) {
  const { resource, reads } = kindTable[kind]
  // Two kinds may be two views of the same things.
  const { reads: known = [] } = liveResources[resource] ?? {}
  liveResources[resource] = {
    reads: [...new Set([...known, ...(reads.map(camel) as MethodName[])])],
    argument: camel(kind),
  }
}
