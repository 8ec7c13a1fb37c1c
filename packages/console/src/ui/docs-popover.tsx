import { Info } from 'lucide-react'
import { buttonClass } from './button.tsx'
import { cx } from './cx.ts'
import type { DocsContent } from './docs-popup.tsx'
import { popup, PopupButton } from './popup-button.tsx'

const docs = popup('dialog', () => import('./docs-popup.tsx').then((module) => module.DocsPopup))

/** A button that explains what a page is about. */
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
