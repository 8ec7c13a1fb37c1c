import type { ReactNode } from 'react'
import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react'
import { cx } from './cx.ts'
import { ErrorDetails } from './error-details.tsx'

type BannerVariant = 'success' | 'error' | 'notice' | 'info'

const looks: Record<BannerVariant, { className: string; icon: typeof Info }> = {
  success: { className: 'bg-green-surface border-green-border text-green-text', icon: CircleCheck },
  error: { className: 'bg-red-surface border-red-border text-red-text', icon: CircleX },
  notice: {
    className: 'bg-amber-surface border-amber-border text-amber-text',
    icon: TriangleAlert,
  },
  info: { className: 'bg-blue-surface border-blue-border text-blue-text', icon: Info },
}

export type BannerProps = {
  variant?: BannerVariant
  title?: ReactNode
  icon?: boolean
  children?: ReactNode
  action?: ReactNode
  className?: string
}

export function Banner({
  variant = 'info',
  title,
  icon = true,
  children,
  action,
  className,
}: BannerProps) {
  const { className: look, icon: Icon } = looks[variant]
  return (
    <div
      role={variant === 'error' ? 'alert' : undefined}
      className={cx('flex items-start gap-2.5 rounded-card border px-3 py-2.5', look, className)}
    >
      {icon && <Icon size={16} strokeWidth={1.5} className="mt-0.5 shrink-0" aria-hidden />}
      <div className="min-w-0 flex-1">
        {title && <div className="font-medium">{title}</div>}
        <div className="break-words">{children}</div>
      </div>
      {/* A small button is as high as a line with this margin. */}
      {action && <div className="-my-1 shrink-0">{action}</div>}
    </div>
  )
}

/** The banner of a form: a single message as text, several as a list. */
export function ErrorBanner({ messages, details }: { messages: string[]; details?: string }) {
  if (messages.length === 0) return null
  if (messages.length === 1) {
    return (
      <Banner variant="error" title="Error">
        {messages[0]}
        {details && <ErrorDetails text={details} />}
      </Banner>
    )
  }
  return (
    <Banner variant="error" title="Errors">
      {messages.length} issues:
      <ul className="ms-4 list-disc">
        {messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Banner>
  )
}
