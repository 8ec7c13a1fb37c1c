import { CircleUser } from 'lucide-react'
import { useCurrentUser } from '../data/session.ts'
import { buttonClass } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { popup, PopupButton } from '../ui/popup-button.tsx'

const userMenu = popup('menu', () =>
  import('./user-menu-popup.tsx').then((module) => module.UserMenuPopup),
)

export function UserMenu() {
  const { displayName, siloName } = useCurrentUser()
  return (
    <PopupButton
      popup={userMenu}
      content={{}}
      label="User menu"
      tooltip={`${displayName || 'User'}, in silo ${siloName}`}
      className={cx(buttonClass('ghost', 'md'), 'max-w-48 hover:bg-hover aria-expanded:bg-pressed')}
    >
      <CircleUser size={16} strokeWidth={1.5} aria-hidden />
      <span aria-hidden className="truncate max-sm:hidden">
        {displayName || 'User'}
      </span>
    </PopupButton>
  )
}
