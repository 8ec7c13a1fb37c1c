import { type Pressure, pressureOf } from '@steading/api/rules'
import { formatNumber } from '../../ui/number.ts'
import { percentOf } from './amounts.ts'

const colours: Record<Pressure, string> = {
  low: 'bg-green',
  high: 'bg-amber',
  'nearly full': 'bg-red',
}

type MeterProps = { label: string; used: number; quota: number; className?: string }

/** A bar filled in proportion to the used quota. */
export function Meter({ label, used, quota, className = 'h-2' }: MeterProps) {
  const percent = percentOf(used, quota)
  const pressure = pressureOf(used, quota)
  const width = Math.min(percent ?? (used > 0 ? 100 : 0), 100)
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={width}
      aria-valuetext={percent === undefined ? 'no quota' : `${formatNumber(percent)}%`}
      className={`w-full overflow-hidden rounded-full bg-skeleton ${className}`}
    >
      <div className={`h-full rounded-full ${colours[pressure]}`} style={{ width: `${width}%` }} />
    </div>
  )
}
