import type { Utilization, VirtualResourceCounts } from '@steading/api/client'
import { apiQueryErrorsAllowed } from '../../data/api.ts'
import { formatNumber, formatSize } from '../../ui/number.ts'

/** A user may not be allowed to read the utilization; forms work without it. */
export const utilizationQuery = apiQueryErrorsAllowed('utilizationView', {})

export type QuotaRow = {
  key: 'cpus' | 'memory' | 'storage'
  label: string
  used: number
  added: number
  capacity: number
  /** The numbers as text. */
  text: { used: string; added: string; capacity: string }
  /** The consequence of creating the instance anyway. */
  warning: string | undefined
}

/** Each quota with its usage, the share this instance adds, and a warning if it does not fit. */
export function quotaRows(
  { provisioned, capacity }: Utilization,
  needed: VirtualResourceCounts,
  start: boolean,
): QuotaRow[] {
  const whenRun = start
    ? 'It will be created, but cannot start.'
    : 'It will not be able to start until something else stops.'
  const row = (
    key: QuotaRow['key'],
    label: string,
    show: (value: number) => string,
    then: string,
  ): QuotaRow => {
    const over = provisioned[key] + needed[key] - capacity[key]
    return {
      key,
      label,
      used: provisioned[key],
      added: needed[key],
      capacity: capacity[key],
      text: {
        used: show(provisioned[key]),
        added: show(needed[key]),
        capacity: show(capacity[key]),
      },
      warning:
        over > 0 && needed[key] > 0
          ? `${label} is ${show(over)} over the quota. ${then}`
          : undefined,
    }
  }
  const cpus = (value: number) => `${formatNumber(value)} vCPU${value === 1 ? '' : 's'}`
  return [
    row('cpus', 'CPU', cpus, whenRun),
    row('memory', 'Memory', formatSize, whenRun),
    row(
      'storage',
      'Storage',
      formatSize,
      'The disks do not fit, so the instance cannot be created.',
    ),
  ]
}
