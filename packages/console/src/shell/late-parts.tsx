import { queryClient } from '../data/api.ts'
import { onConnection } from '../data/connection.ts'
import { CANNOT_BE_REACHED, isNoAnswer } from '../data/errors.ts'
import { watchAnswers } from '../page/misfit-notice.tsx'
import { closeCutGaps } from '../ui/cut-gaps.ts'
import { OpenedDialog } from '../ui/opened-dialog.tsx'
import { ToastStack } from '../ui/toast-stack.tsx'
import { toasts } from '../ui/toasts.tsx'
import { TooltipHost } from '../ui/tooltip-host.tsx'

/**
 * Dismisses notices of a lost connection once the control plane is back. Earlier answers stay,
 * and their failed refreshes are forgotten.
 */
function withdrawNotices() {
  for (const query of queryClient.getQueryCache().getAll()) {
    const { data, error } = query.state
    if (data === undefined || !isNoAnswer(error)) continue
    query.setState({ ...query.state, error: null, status: 'success' })
  }
  toasts.set(toasts.get().filter(({ content }) => content !== CANNOT_BE_REACHED))
}

onConnection((isLost) => isLost || withdrawNotices())
void watchAnswers()
closeCutGaps()

/** Parts of every page that the first paint does not need. */
export const LateParts = () => (
  <>
    <ToastStack />
    <TooltipHost />
    <OpenedDialog />
  </>
)
