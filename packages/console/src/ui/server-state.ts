import { createStore } from './store.ts'

/** Whether this control plane serves the documentation; false until that is known. */
export const hasDocs = createStore(false)

/**
 * Why nothing can be sent to the server now; undefined if it can. Buttons, menu items and forms that
 * send something are disabled with this reason.
 */
export const sendingStopped = createStore<string | undefined>(undefined)
export const useSendingStopped = sendingStopped.useValue

/**
 * The operation of the API that an action calls, or leads to. By itself it is taken to be about a
 * thing of the first kind that it changes.
 */
export type Calls =
  | string
  | {
      operation: string
      /** The kinds that it is about for certain. */
      about?: readonly string[]
      /** The project of the thing, by its name, if it is not that of the page. */
      project?: string
      /** The silo of the thing, by its name or id, if it is neither that of the page nor the own one. */
      silo?: string
    }

/**
 * Why the roles of the user do not permit an operation; undefined if they do, and as long as that is
 * not known: then the server decides.
 */
export const permitting = createStore<(calls: Calls) => string | undefined>(() => undefined)

export function useWhyNot(): (calls: Calls | undefined) => string | undefined {
  const why = permitting.useValue()
  return (calls) => calls && why(calls)
}

/** Characters of a new password at least; a control plane that is not ours does not say it. */
export const passwordMin = createStore(1)
