import type { IssueSeverity } from '@steading/api/client'
import type { StateTone } from '../../ui/state-badge.tsx'

export const severityTones: Record<IssueSeverity, StateTone> = {
  critical: 'failed',
  warning: 'attention',
}

/** A link to a page that only the control plane knows beforehand, as the router wants it. */
export const linkTo = (path: string) => {
  const [to, search] = path.split('?')
  return { to: to as '/', search: Object.fromEntries(new URLSearchParams(search)) as never }
}
