/** Work of a port's implementation besides its calls. The control plane starts and ends it. */
export interface Background {
  start?: () => void | Promise<void>
  close?: () => Promise<void>
}
