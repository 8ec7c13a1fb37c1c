import type { ReactNode } from 'react'
import { buttonClass } from '../button.tsx'
import { cx } from '../cx.ts'
import { popup, PopupButton } from '../popup-button.tsx'
import type { Choices, Grouping } from './choices-popup.tsx'

const choices = popup('menu', () =>
  import('./choices-popup.tsx').then((module) => module.ChoicesPopup),
)

type ChoicesMenuProps = {
  label: string
  children: ReactNode
  sections: Choices[]
  grouping?: Grouping | false
  /** A choice narrows the list. */
  active?: boolean
  square?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
}

/** A button with lists of choices, each single or multiple. */
export function ChoicesMenu(props: ChoicesMenuProps) {
  const { label, children, sections, grouping, active, square, onOpenChange, className } = props
  return (
    <PopupButton
      popup={choices}
      content={{ sections, grouping }}
      label={label}
      onOpenChange={onOpenChange}
      className={cx(
        buttonClass('secondary', 'md', square),
        'hover:bg-hover aria-expanded:bg-pressed',
        active && 'border-accent-border! bg-accent-surface!',
        className,
      )}
    >
      {children}
    </PopupButton>
  )
}
