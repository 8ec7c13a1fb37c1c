import { Info, RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { buttonClass, IconButton } from './button.tsx'
import { cx } from './cx.ts'
import type { DocsContent } from './docs-popup.tsx'
import { popup, PopupButton } from './popup-button.tsx'
import { Spinner } from './spinner.tsx'
import { useMinimumTime } from './steady-value.ts'
import { Truncate } from './text.tsx'

/** The heading of a page with key facts and actions. */
export function PageHeader({
  title,
  icon,
  star,
  meta,
  children,
}: {
  title: string
  icon?: ReactNode
  /** Star button beside the title. */
  star?: ReactNode
  /** Facts beside the title, or below it if there is no room: state, size. */
  meta?: ReactNode
  /** Actions at the right. */
  children?: ReactNode
}) {
  return (
    <header className="relative flex flex-wrap items-center gap-x-3 gap-y-2 px-(--gutter) pt-8 pb-5 max-sm:gap-x-1 max-sm:pt-6 max-sm:pb-4">
      <h1 className="flex min-w-0 items-center gap-2.5 text-2xl font-semibold tracking-[-0.022em] max-sm:text-xl">
        {/* On a phone, the actions take its place beside the title. */}
        {icon && <span className="text-tertiary max-sm:hidden [&_svg]:size-6">{icon}</span>}
        <Truncate text={title} />
      </h1>
      {star && <div className="-ms-2 empty:hidden">{star}</div>}
      {meta && (
        <div
          role="group"
          aria-label="Summary"
          className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 empty:hidden max-sm:ps-1"
        >
          {meta}
        </div>
      )}
      <div className="ms-auto flex flex-wrap items-center justify-end gap-2 max-sm:gap-1.5">
        {children}
      </div>
    </header>
  )
}

const docs = popup('dialog', () => import('./docs-popup.tsx').then((module) => module.DocsPopup))

/** A button that explains the topic of a page. */
export function DocsPopover(content: DocsContent) {
  const title = `Learn about ${content.topic}`
  return (
    <PopupButton
      popup={docs}
      content={content}
      label={title}
      tooltip={title}
      className={cx(buttonClass('ghost', 'md', true), 'hover:bg-hover')}
    >
      <Info size={16} strokeWidth={1.5} aria-hidden />
    </PopupButton>
  )
}

export function RefreshButton({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  const [busy, setBusy] = useState(false)
  const spinning = useMinimumTime(busy, 300)
  const refresh = async () => {
    setBusy(true)
    await onRefresh().catch(() => {})
    setBusy(false)
  }
  return (
    <IconButton
      label="Refresh data"
      sends
      onClick={() => void refresh()}
      icon={spinning ? <Spinner /> : <RefreshCw size={16} strokeWidth={1.5} aria-hidden />}
    />
  )
}
