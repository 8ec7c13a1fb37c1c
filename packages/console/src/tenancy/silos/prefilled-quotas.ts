import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useFormState, type UseFormReturn } from 'react-hook-form'
import { useCapability } from '../../data/capabilities.ts'
import { fleetOverviewQuery } from '../../observability/overview/queries.ts'
import { type FleetCapacity, fleetShare, type Quotas } from './fleet-share.ts'

/** Capacity of the fleet; undefined while unknown, and at control planes without overviews. */
export function useFleetCapacity(): FleetCapacity | undefined {
  const supported = useCapability('overviews')
  const read = useQuery({ ...fleetOverviewQuery, refetchInterval: false, enabled: supported })
  return read.data?.capacity ?? undefined
}

/**
 * Fills the quotas of an open form with a share of the fleet that became known later, except those
 * that the user has typed. Later changes of the fleet leave them alone.
 */
export function useLateQuotas<V extends Quotas>(
  of: UseFormReturn<V>,
  capacity: FleetCapacity | undefined,
): void {
  const { watch, resetField, control } = of as unknown as UseFormReturn<Quotas>
  const { touchedFields } = useFormState({ control })
  const typed = useRef(new Set<string>())
  const filled = useRef(capacity !== undefined)
  useEffect(() => {
    const watching = watch((_, { name, type }) => {
      if (name && type === 'change') typed.current.add(name)
    })
    return () => watching.unsubscribe()
  }, [watch])
  useEffect(() => {
    if (!capacity || filled.current) return
    filled.current = true
    const share = fleetShare(capacity)
    for (const name of ['cpus', 'memory', 'storage'] as const) {
      // Typing what is there already changes nothing, but leaves the field.
      if (typed.current.has(name) || touchedFields[name]) continue
      resetField(name, { defaultValue: share[name] })
    }
  }, [capacity, resetField, touchedFields])
}
