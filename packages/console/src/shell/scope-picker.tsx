import { ChevronsUpDown } from 'lucide-react'
import { useFleetViewer } from '../data/session.ts'
import { buttonClass } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { popup, PopupButton } from '../ui/popup-button.tsx'

const scopes = popup('menu', () => import('./scope-popup.tsx').then((module) => module.ScopePopup))

/** Switches between the system, the silo and its projects. */
export function ScopePicker({ level }: { level: 'silo' | 'system' }) {
  const label = useFleetViewer() ? 'Switch between system and silo' : 'Switch project'
  return (
    <PopupButton
      popup={scopes}
      content={{ level }}
      label={label}
      tooltip={label}
      className={cx(buttonClass('ghost', 'md', true), 'hover:bg-hover aria-expanded:bg-pressed')}
    >
      <ChevronsUpDown size={16} strokeWidth={1.5} aria-hidden />
    </PopupButton>
  )
}
