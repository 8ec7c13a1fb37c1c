import type { UseFormReturn } from 'react-hook-form'
import { ipVersions } from '../../../networking/pools/own-pools.ts'
import { defaultPool, noEphemeral } from './pools.ts'
import type { Offer } from './queries.ts'
import type { InstanceValues, NetworkValues } from './values.ts'

/**
 * Changes the interfaces and their dependent fields: an ephemeral IP is unchecked when the
 * interfaces no longer support its version, and checked when they support it again and a default
 * pool exists.
 */
export function changeNetwork(
  { getValues, setValue, clearErrors }: UseFormReturn<InstanceValues>,
  { pools }: Offer,
  next: Partial<NetworkValues>,
): void {
  clearErrors('network')
  const before = getValues()
  const after = { ...before, ...next }
  setValue('network', after.network, { shouldDirty: true })
  setValue('ipVersions', after.ipVersions, { shouldDirty: true })
  setValue('nics', after.nics, { shouldDirty: true })
  for (const version of ipVersions) {
    const can = (values: InstanceValues) => !noEphemeral(pools, values, version)
    if (can(before) === can(after)) continue
    const pool = can(after) ? defaultPool(pools, version) : ''
    setValue(version === 'v4' ? 'ephemeral4' : 'ephemeral6', pool !== '')
    setValue(version === 'v4' ? 'pool4' : 'pool6', pool)
  }
}
