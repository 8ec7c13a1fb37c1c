import type { ReactNode } from 'react'
import { addToast } from '../../ui/toasts.tsx'

/** Says that something is done: `BGP configuration main updated`. */
export const saidOf = (what: string, name: ReactNode, done: string) =>
  addToast({
    content: (
      <>
        {what} <b>{name}</b> {done}
      </>
    ),
  })
