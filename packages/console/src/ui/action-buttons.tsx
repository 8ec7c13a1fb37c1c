import type { ReactNode } from 'react'
import { Button, type ButtonSize, type ButtonVariant } from './button.tsx'
import type { MenuAction } from './menu-action.ts'
import { Menu } from './menu.tsx'
import { quickActionsOf, useQuickActions } from './quick-actions.ts'

type ActionButtonsProps = {
  actions: MenuAction[]
  size?: ButtonSize
  variant?: ButtonVariant
  /** Target of the actions, unless it is the page. */
  about?: string
}

/**
 * The buttons of a page or of a section. The palette offers the same actions while they are
 * shown.
 */
export function ActionButtons({ actions, size, variant, about }: ActionButtonsProps): ReactNode {
  useQuickActions(quickActionsOf(actions, about), 'part')
  return actions.map(({ label, icon, local, danger, calls, disabledReason, onAction }) => (
    <Button
      key={label}
      size={size}
      variant={variant}
      icon={icon}
      className={danger ? 'text-red-text!' : undefined}
      sends={!local}
      calls={calls}
      disabledReason={disabledReason}
      onClick={onAction}
    >
      {label}
    </Button>
  ))
}

/** The menu of a page. The palette offers the same actions. */
export function ActionMenu({ label, actions }: { label: string; actions: MenuAction[] }) {
  useQuickActions(quickActionsOf(actions))
  return <Menu label={label} variant="secondary" size="md" items={actions} />
}
