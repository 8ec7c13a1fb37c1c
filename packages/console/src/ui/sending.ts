import { createStore } from './store.ts'

/**
 * Why nothing can be sent to the server now; undefined if it can. Buttons, menu items and forms that
 * send something are disabled with this reason.
 */
export const sendingStopped = createStore<string | undefined>(undefined)
export const useSendingStopped = sendingStopped.useValue
