import { PasswordHint } from '../session/password-hint.tsx'
import { ToastStack } from '../ui/toast-stack.tsx'
import { TooltipHost } from '../ui/tooltip-host.tsx'

/** What every page has, and the first paint does not need. */
export const LateParts = () => (
  <>
    <ToastStack />
    <TooltipHost />
    <PasswordHint />
  </>
)
