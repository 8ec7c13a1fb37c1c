import { Info } from 'lucide-react'
import { buttonClass } from './button.tsx'
import { cx } from './cx.ts'
import { popup, PopupButton } from './popup-button.tsx'

const DocsPopup = popup(() => import('./docs-popup.tsx').then((module) => module.DocsPopup))

export type DocsPopoverProps = {
  topic: string
  summary: string
  /** Only pages that exist. */
  guides?: { label: string; href: string }[]
}

/** What a page is about, for whoever asks. */
export function DocsPopover({ topic, ...content }: DocsPopoverProps) {
  const title = `Learn about ${topic}`
  const button = {
    label: title,
    tooltip: title,
    className: cx(buttonClass('ghost', 'md', true), 'hover:bg-hover'),
    children: <Info size={16} strokeWidth={1.5} aria-hidden />,
  }
  return (
    <PopupButton button={button}>{(begun) => <DocsPopup {...begun} {...content} />}</PopupButton>
  )
}
