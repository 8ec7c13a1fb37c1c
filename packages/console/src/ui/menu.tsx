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
      className={cx(triggerClass(variant, size, square ?? !trigger), !trigger && 'three-dots')}
    >
      {trigger}
    </PopupButton>
  )
}

const rowMenu = popup('menu', () =>
  import('./menu-popup.tsx').then((module) => module.RowMenuPopup),
)

const rowTrigger = cx(triggerClass(), 'three-dots')

/** The menu at the end of a table row, with the actions of `RowActionsContext`. */
export const RowActions = ({ name, row }: RowMenuContent & { name?: string }) => (
  <PopupButton
    popup={rowMenu}
    content={{ row }}
    label={`Row actions${name ? ` of ${name}` : ''}`}
    className={rowTrigger}
  />
)
