import type { ReactNode } from 'react'
import { tooltip } from '../ui/tooltip.tsx'

/** Looks and fills its cell like a `CellLink`, but opens a panel. */
export function CellButton({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="cell-link block max-w-full truncate text-start font-medium text-primary hover:text-accent-text"
      {...tooltip(typeof children === 'string' ? children : undefined, 'truncated')}
    >
      {children}
    </button>
  )
}
