import { useRouter } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { Button, type ButtonVariant, LinkButton } from '../ui/button.tsx'
import { useShortcuts } from '../ui/keyboard/use-shortcut.ts'
import { type Calls, useRefusalReason } from '../ui/server-state.ts'
import { useQuickActions } from '../ui/quick-actions.ts'
import { errorToast } from '../ui/toasts.tsx'

/** The action that adds to a list: a link to a path of the app, or a callback. */
export type Create = {
  label: string
  /** Label in the palette, where the page gives no context. */
  quickLabel?: string
  icon?: LucideIcon
  variant?: ButtonVariant
  /** Operation that the user's roles have to permit. */
  calls?: Calls
} & ({ path: string; onAction?: never } | { path?: never; onAction: () => void })

const nothing: never[] = []

/** Offers the action in the palette and by the create shortcut while the caller is mounted. */
export function useCreate(create: Create | undefined): void {
  const { history } = useRouter()
  const forbidden = useRefusalReason()(create?.calls)
  useQuickActions(create ? [quickAction(create)] : nothing)
  useShortcuts(
    create
      ? {
          create() {
            if (forbidden) errorToast(create.quickLabel ?? create.label, forbidden)
            else if (create.path) history.push(create.path)
            else create.onAction?.()
          },
        }
      : {},
  )
}

const quickAction = ({ label, quickLabel = label, calls, path, onAction }: Create) =>
  path
    ? { label: quickLabel, calls, path }
    : { label: quickLabel, calls, sends: true, onAction: onAction! }

/** The button of the action: a link, unless it is a callback or not permitted. */
export function CreateButton({ label, icon: Icon, variant = 'primary', ...create }: Create) {
  const { calls, path, onAction } = create
  const forbidden = useRefusalReason()(calls)
  const look = {
    variant,
    icon: Icon && <Icon size={16} strokeWidth={1.5} aria-hidden />,
  }
  return path && !forbidden ? (
    <LinkButton to={path as '/'} {...look}>
      {label}
    </LinkButton>
  ) : (
    <Button sends calls={calls} onClick={onAction} {...look}>
      {label}
    </Button>
  )
}
