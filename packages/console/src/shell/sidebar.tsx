import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { DialogPart } from '../ui/dialog.tsx'
import { lazyPart } from '../ui/lazy-part.ts'
import { closeOverlay, useOverlay } from '../page/overlays.ts'
import { setPreference, usePreferences } from '../page/preferences.ts'
import { SidebarContent, type SidebarProps } from './sidebar-content.tsx'

const SidebarDrawer = lazyPart(() =>
  import('./sidebar-drawer.tsx').then((module) => ({ default: module.SidebarDrawer })),
)

export function Sidebar(props: SidebarProps) {
  const { sidebar } = usePreferences()
  const drawer = useOverlay() === 'sidebar'
  return (
    <>
      <aside
        aria-label="Sidebar"
        className="fixed top-(--shell-top) bottom-0 start-0 z-40 flex w-(--sidebar-width) flex-col border-e bg-sunken max-[900px]:hidden"
      >
        <SidebarContent {...props} narrow={sidebar === 'narrow'} />
        <CollapseButton />
      </aside>
      <DialogPart onDismiss={closeOverlay}>{drawer && <SidebarDrawer {...props} />}</DialogPart>
    </>
  )
}

function CollapseButton() {
  const { sidebar } = usePreferences()
  const narrow = sidebar === 'narrow'
  return (
    <div className={cx('flex p-3', narrow && 'justify-center')}>
      <IconButton
        label={narrow ? 'Expand sidebar' : 'Collapse sidebar'}
        size="sm"
        onClick={() => setPreference('sidebar', narrow ? 'wide' : 'narrow')}
        icon={
          narrow ? (
            <PanelLeftOpen size={16} strokeWidth={1.5} aria-hidden />
          ) : (
            <PanelLeftClose size={16} strokeWidth={1.5} aria-hidden />
          )
        }
      />
    </div>
  )
}
