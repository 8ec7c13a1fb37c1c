import { type SettingName, versionedSettings } from '@steading/api/rules'
import { GitCompareArrows } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'

const LazyReasonField = lazyPart(() =>
  import('../../forms/reason-field.tsx').then((module) => ({ default: module.ReasonField })),
)

/** The reason of a change, in a confirmation. */
export const ConfirmedReason = ({ operation }: { operation: string }) => (
  <Suspense>
    <LazyReasonField operation={operation} />
  </Suspense>
)

const VersionsPanel = lazyPart(() => import('./versions-panel.tsx'))

/**
 * The action that shows the versions of a setting, and its panel. There is none without the
 * capability.
 * @param thing the resource that the setting belongs to; undefined while it is loading
 * @param named whether the label names the setting, on pages with several
 */
export function useVersions(
  setting: SettingName,
  thing: { id: string; name?: string } | undefined,
  named = false,
): { actions: MenuAction[]; panel: ReactNode } {
  const supported = useCapability('settingVersions')
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const action: MenuAction = {
    label: named ? `Versions of ${versionedSettings[setting].words}` : 'Versions',
    icon: <GitCompareArrows size={16} strokeWidth={1.5} aria-hidden />,
    local: true,
    disabledReason: !thing && 'Not loaded yet',
    onAction: () => setOpen(true),
  }
  return {
    actions: supported ? [action] : [],
    panel: (
      <DialogPart onDismiss={close}>
        {open && thing && <VersionsPanel setting={setting} thing={thing} onDismiss={close} />}
      </DialogPart>
    ),
  }
}
