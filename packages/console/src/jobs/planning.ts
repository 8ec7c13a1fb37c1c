import type { JobCreate } from '@steading/api/client'
import { useSyncExternalStore } from 'react'
import type { ApiError } from '../data/errors.ts'

export type PlanOptions = {
  onStart?: () => void
  leaveTo?: string
  /** The plan this one takes the place of. */
  instead?: string
}

/** A plan that is being made, or could not be. */
export type Planning = PlanOptions & { request: JobCreate; error?: ApiError }

let planning: Planning | undefined
const listeners = new Set<() => void>()
export function setPlanning(next: Planning | undefined) {
  planning = next
  listeners.forEach((listener) => listener())
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const usePlanning = (): Planning | undefined =>
  useSyncExternalStore(subscribe, () => planning)

export const currentPlanning = (): Planning | undefined => planning

/** The answer is not waited for any longer. */
export const stopPlanning = (): void => setPlanning(undefined)

/** What `?job=` of an address may be. */
export const readJobSearch = ({ job }: Record<string, unknown>): { job?: string } =>
  typeof job === 'string' && job ? { job } : {}
