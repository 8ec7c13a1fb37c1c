import type { RequiredActions } from '@steading/api/rules'
import { createStore } from './store.ts'

/** The control plane serves the documentation; false until known. */
export const hasDocs = createStore(false)

/**
 * Reason why nothing can be sent to the server; undefined if requests are possible. Buttons,
 * menu items and forms that send something are disabled with it.
 */
export const sendingStopped = createStore<string | undefined>(undefined)
export const useSendingStopped = sendingStopped.useValue

/**
 * The API operation that an action calls or leads to. By default it concerns a resource of the
 * first kind that it changes.
 */
export type Calls =
  | string
  | {
      operation: string
      /** Actions it needs on kinds, if its declaration leaves them open. */
      requires?: RequiredActions
      /** The kinds it certainly concerns. */
      about?: readonly string[]
      /** Name of the resource's project, if it is not the page's. */
      project?: string
      /** Name or id of the resource's silo, if it is neither the page's nor the user's. */
      silo?: string
    }

/**
 * Reason why the user's roles do not permit an operation; undefined if they do, or while
 * unknown, when the server decides.
 */
export const refusalOfCalls = createStore<(calls: Calls) => string | undefined>(() => undefined)

export function useRefusalReason(): (calls: Calls | undefined) => string | undefined {
  const why = refusalOfCalls.useValue()
  return (calls) => calls && why(calls)
}

/** Minimum length of a new password; other control planes do not announce it. */
export const passwordMin = createStore(1)
