import type { ReactNode } from 'react'

/** Sticks to the bottom of the content: pagination, or the actions of a full-page form. */
export function BottomBar({ children }: { children: ReactNode }) {
  return (
    <div className="bottom-bar sticky bottom-0 z-20 mt-auto border-t bg-page empty:hidden">
      {children}
    </div>
  )
}
