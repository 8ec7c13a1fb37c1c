import { type LucideIcon, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'

const tones = {
  amber: 'border-amber-border bg-amber-surface text-amber-text',
  red: 'border-red-border bg-red-surface text-red-text',
}

type NoticeBarProps = {
  icon: LucideIcon
  tone?: keyof typeof tones
  onDismiss: () => void
  children: ReactNode
}

/** A notice in a bar above the page, until the user dismisses it. */
export const NoticeBar = ({ icon: Icon, tone = 'amber', onDismiss, children }: NoticeBarProps) => (
  <div
    role="status"
    className={cx('flex items-center gap-3 border-b px-(--gutter) py-1.5', tones[tone])}
  >
    <Icon size={16} strokeWidth={1.5} aria-hidden className="shrink-0" />
    <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
    <IconButton
      label="Dismiss"
      size="sm"
      icon={<X size={14} strokeWidth={1.5} aria-hidden />}
      onClick={onDismiss}
    />
  </div>
)
