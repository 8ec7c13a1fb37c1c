import type { ReactNode } from 'react'

type EmptyStateProps = {
  icon?: ReactNode
  title?: string
  body?: ReactNode
  action?: ReactNode
  /** Content below the action. */
  children?: ReactNode
}

/**
 * An empty page or card: its purpose, the reason for being empty, and the button that changes
 * this. A card is its frame.
 */
export function EmptyState({
  icon,
  title = 'No results',
  body,
  action,
  children,
}: EmptyStateProps) {
  return (
    <div className="empty-state mx-(--gutter) my-4 flex flex-col items-center gap-1 rounded-card border border-dashed border-line-strong px-6 py-16 text-center in-[.card]:my-0 in-[.card]:border-none in-[.card]:py-8">
      {icon && (
        <div className="mb-3 flex size-10 items-center justify-center rounded-card border bg-raised text-accent-text">
          {icon}
        </div>
      )}
      <h2 className="text-base font-medium">{title}</h2>
      {body && <p className="max-w-sm text-balance text-secondary">{body}</p>}
      {action && <div className="mt-4">{action}</div>}
      {children}
    </div>
  )
}
