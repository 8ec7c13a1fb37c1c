import { ChevronRight } from 'lucide-react'
import { Suspense, type ReactNode } from 'react'
import { lazyPart } from '../ui/lazy-part.ts'
import { setPreference, usePreferences } from '../page/preferences.ts'

const ShortcutList = lazyPart(() =>
  import('./sidebar-shortcut-list.tsx').then((module) => ({ default: module.ShortcutList })),
)

type GroupButtonProps = {
  /** Key of the kept choice. */
  id: string
  open: boolean
  disabled?: boolean
  children: ReactNode
}

/** Opens and closes a group of links. */
export function GroupButton({ id, open, disabled, children }: GroupButtonProps) {
  const { groups } = usePreferences()
  return (
    <button
      type="button"
      aria-expanded={open}
      disabled={disabled}
      onClick={() => setPreference('groups', { ...groups, [id]: !open })}
      className="nav-group"
    >
      {children}
      <ChevronRight size={14} strokeWidth={1.5} aria-hidden />
    </button>
  )
}

/** Starred and recent resources, in a group that is closed at first. */
export function SidebarShortcuts() {
  const { groups, shortcuts } = usePreferences()
  const open = groups.own === true
  return (
    <nav aria-label="Sidebar navigation: starred and recent" className="-mt-3 mb-1">
      <GroupButton id="own" open={open}>
        Starred and recent
      </GroupButton>
      {open && (
        // The height of the last list, so that the links below stay in place.
        <div style={{ minHeight: shortcuts * 34 }}>
          <Suspense>
            <ShortcutList />
          </Suspense>
        </div>
      )}
    </nav>
  )
}
