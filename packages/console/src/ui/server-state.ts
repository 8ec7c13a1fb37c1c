import { createStore } from './store.ts'

/** Whether this control plane serves the documentation; false until that is known. */
export const hasDocs = createStore(false)

/**
 * Why nothing can be sent to the server now; undefined if it can. Buttons, menu items and forms that
 * send something are disabled with this reason.
 */
export const sendingStopped = createStore<string | undefined>(undefined)
export const useSendingStopped = sendingStopped.useValue
