import { useQuery } from '@tanstack/react-query'
import { Timer } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { useCurrentUser } from '../../data/session.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { deletionPolicyQuery } from './queries.ts'

const PolicyDialog = lazyPart(() => import('./policy-dialog.tsx'))

/** The policy of the silo about deleted resources, the action that changes it, and its dialog. */
export function useDeletionPolicy() {
  const supported = useCapability('deletedResources')
  const { data: policy } = useQuery({ ...deletionPolicyQuery, enabled: supported })
  const { siloName } = useCurrentUser()
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const action: MenuAction = {
    label: 'Deletion policy',
    icon: <Timer size={16} strokeWidth={1.5} aria-hidden />,
    calls: 'deletionPolicyUpdate',
    disabledReason: !policy && 'The deletion policy could not be read',
    onAction: () => setOpen(true),
  }
  const dialog: ReactNode = (
    <DialogPart onDismiss={close}>
      {open && policy && <PolicyDialog silo={siloName} present={policy} onDismiss={close} />}
    </DialogPart>
  )
  return { supported, policy, action, dialog }
}
