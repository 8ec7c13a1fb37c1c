import type { ReactNode } from 'react'
import { bottomBar } from '../ui/clear-of-bars.ts'

/** Sticks to the bottom of the content: pagination, or the actions of a full-page form. */
export function BottomBar({ children }: { children: ReactNode }) {
  return (
    <>
      <div className="mt-auto h-(--toasts-room) shrink-0" />
      <div {...bottomBar} className="sticky bottom-0 z-20 border-t bg-page empty:hidden">
        {children}
      </div>
    </>
  )
}
