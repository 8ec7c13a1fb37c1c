import { lazyPart } from '../../ui/lazy-part.ts'

/** Its code comes when the tab is opened. */
export const LinkedSilos = lazyPart(() =>
  import('./linked-silos.tsx').then((module) => ({ default: module.LinkedSilos })),
)
