import { isNearlyFull } from '@steading/api/rules'
import { TriangleAlert } from 'lucide-react'
import { BigNumber } from '../../ui/big-number.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import type { VersionUse } from './use.ts'

/** What is left of a pool, of how much, with a sign when it is nearly full. */
export function Remaining({ use }: { use: VersionUse }) {
  const warning = use.remaining === 0n ? 'None left' : 'Nearly full'
  return (
    <span className="flex items-center gap-1.5 tabular-nums">
      <span>
        <BigNumber value={use.remaining} /> / <BigNumber value={use.capacity} />
      </span>
      {isNearlyFull(use) && (
        <span {...tooltip(warning)} className="text-amber-text">
          <TriangleAlert size={14} strokeWidth={1.5} role="img" aria-label={warning} />
        </span>
      )}
    </span>
  )
}
