import { useQuery } from '@tanstack/react-query'
import { Disc3 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { useCurrentUser } from '../../data/session.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { imagePolicyQuery } from './queries.ts'

const PolicyDialog = lazyPart(() => import('./policy-dialog.tsx'))

/** The action that changes who may use the silo's images, and its dialog. */
export function useImagePolicy(): { actions: MenuAction[]; dialog: ReactNode } {
  const supported = useCapability('projectOffers')
  const { data: policy } = useQuery({ ...imagePolicyQuery, enabled: supported })
  const { siloName } = useCurrentUser()
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const action: MenuAction = {
    label: 'Image policy',
    icon: <Disc3 size={16} strokeWidth={1.5} aria-hidden />,
    calls: 'imagePolicyUpdate',
    disabledReason: !policy && 'The image policy could not be read',
    onAction: () => setOpen(true),
  }
  return {
    actions: supported ? [action] : [],
    dialog: (
      <DialogPart onDismiss={close}>
        {open && policy && <PolicyDialog silo={siloName} present={policy} onDismiss={close} />}
      </DialogPart>
    ),
  }
}
