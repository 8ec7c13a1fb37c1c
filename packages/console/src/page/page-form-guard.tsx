import { useBlocker } from '@tanstack/react-router'
import { NavigationGuardModal } from '../ui/form/side-modal-form.tsx'

/**
 * Asks before the user leaves a full-page form with unsaved input. A reload needs no question:
 * `useDraft` keeps the input.
 */
export function PageFormGuard({ active, onLeave }: { active: boolean; onLeave?: () => void }) {
  const blocker = useBlocker({
    // A panel over the form belongs to the same page.
    shouldBlockFn: ({ current, next }) => active && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <NavigationGuardModal
      question="Are you sure you want to leave this page?"
      stayLabel="Continue editing"
      leaveLabel="Leave this page"
      onStay={blocker.reset}
      onLeave={() => {
        onLeave?.()
        blocker.proceed()
      }}
    />
  )
}
