import { createStore } from './store.ts'

/** Whether this control plane serves the documentation; false until that is known. */
export const hasDocs = createStore(false)
