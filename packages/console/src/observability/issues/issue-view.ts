import type { IssueSeverity } from '@steading/api/client'
import type { StateTone } from '../../ui/state-badge.tsx'

export const severityTones: Record<IssueSeverity, StateTone> = {
  critical: 'failed',
  warning: 'attention',
}
