import { createStore } from '../ui/store.ts'

/** Characters of a new password at least; a control plane that is not ours does not say it. */
export const passwordMin = createStore(1)
