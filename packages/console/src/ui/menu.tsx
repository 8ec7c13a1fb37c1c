import type { ReactNode } from 'react'
import { Ellipsis } from 'lucide-react'
import { buttonClass, type ButtonSize, type ButtonVariant } from './button.tsx'
import { cx } from './cx.ts'
import type { MenuAction } from './menu-action.ts'
import type { MenuContent } from './menu-popup.tsx'
import { popup, PopupButton } from './popup-button.tsx'

const menu = popup('menu', () => import('./menu-popup.tsx').then((module) => module.MenuPopup))

type MenuProps = MenuContent & {
  label: string
  trigger?: ReactNode
  variant?: ButtonVariant
  size?: ButtonSize
  square?: boolean
}

/** A button with a menu of actions. Without `trigger` the button shows an ellipsis. */
export function Menu(props: MenuProps) {
  const { label, trigger, variant = 'ghost', size = 'sm', square, ...content } = props
  return (
    <PopupButton
      popup={menu}
      content={content}
      label={label}
      className={cx(
        buttonClass(variant, size, square ?? !trigger),
        'focus-inset hover:bg-hover aria-expanded:bg-pressed aria-expanded:text-primary',
      )}
    >
      {trigger ?? <Ellipsis size={16} strokeWidth={1.5} aria-hidden />}
    </PopupButton>
  )
}

/** The menu at the end of a table row. A row with an ID offers to copy it first. */
export function RowActions({
  id,
  copyIdLabel = 'Copy ID',
  items,
}: {
  id?: string
  copyIdLabel?: string
  items: MenuAction[]
}) {
  const copy = id
    ? [{ label: copyIdLabel, local: true, onAction: () => void navigator.clipboard.writeText(id) }]
    : []
  return <Menu label="Row actions" items={[...copy, ...items]} />
}
