import type { ReactNode } from 'react'
import { buttonClass, type ButtonSize, type ButtonVariant } from './button.tsx'
import { cx } from './cx.ts'
import type { MenuContent, RowMenuContent } from './menu-popup.tsx'
import { popup, PopupButton } from './popup-button.tsx'

const menu = popup('menu', () => import('./menu-popup.tsx').then((module) => module.MenuPopup))

type MenuProps = MenuContent & {
  label: string
  trigger?: ReactNode
  variant?: ButtonVariant
  size?: ButtonSize
  square?: boolean
}

/** Three dots as one path, because it stands in each row of a table. */
const ellipsis = (
  <svg width={16} height={16} viewBox="0 0 24 24" stroke="currentColor" aria-hidden>
    <path d="M5 12h0M12 12h0M19 12h0" strokeWidth={3.5} strokeLinecap="round" />
  </svg>
)

const triggerClass = (variant: ButtonVariant = 'ghost', size: ButtonSize = 'sm', square = true) =>
  cx(
    buttonClass(variant, size, square),
    'focus-inset hover:bg-hover aria-expanded:bg-pressed aria-expanded:text-primary',
  )

/** A button with a menu of actions. Without `trigger` the button shows an ellipsis. */
export function Menu(props: MenuProps) {
  const { label, trigger, variant, size, square, ...content } = props
  return (
    <PopupButton
      popup={menu}
      content={content}
      label={label}
      className={triggerClass(variant, size, square ?? !trigger)}
    >
      {trigger ?? ellipsis}
    </PopupButton>
  )
}

const rowMenu = popup('menu', () =>
  import('./menu-popup.tsx').then((module) => module.RowMenuPopup),
)

/** The menu at the end of a table row, by `RowActionsContext`. */
export const RowActions = (content: RowMenuContent) => (
  <PopupButton popup={rowMenu} content={content} label="Row actions" className={triggerClass()}>
    {ellipsis}
  </PopupButton>
)
