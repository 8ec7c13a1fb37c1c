import { Suspense } from 'react'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { stopAskingAccess, useAskedAccess } from './ask-access.ts'

const WhoCanPanel = lazyPart(() => import('./who-can-panel.tsx'))
const UserAccessPanel = lazyPart(() => import('./user-access-panel.tsx'))

/** Answers access questions in a panel. Rendered once by the frame of all pages. */
export function AccessHost() {
  const asked = useAskedAccess()
  return (
    <DialogPart onDismiss={stopAskingAccess}>
      <Suspense fallback={null}>
        {asked?.of === 'thing' && <WhoCanPanel asked={asked} onDismiss={stopAskingAccess} />}
        {asked?.of === 'user' && <UserAccessPanel asked={asked} onDismiss={stopAskingAccess} />}
      </Suspense>
    </DialogPart>
  )
}
