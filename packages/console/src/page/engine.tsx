import { simulatedMeaning } from '@steading/api/rules'
import { Suspense } from 'react'
import { useEngine } from '../data/capabilities.ts'
import { lazyPart } from '../ui/lazy-part.ts'
import { Tag } from '../ui/tag.tsx'
import { tooltip } from '../ui/tooltip.tsx'

const useIsSimulated = (): boolean => useEngine()?.isSimulated === true

/** Says that machines are simulated; nothing for real ones, and at other control planes. */
export function SimulatedBadge() {
  return (
    useIsSimulated() && (
      <span {...tooltip(simulatedMeaning)}>
        <Tag>simulated</Tag>
      </span>
    )
  )
}

const RealMachines = lazyPart(() => import('./real-machines.tsx'))

/** The way to real machines, below an empty list, while machines are simulated. */
export function FirstRun() {
  return (
    useIsSimulated() && (
      <Suspense>
        <RealMachines />
      </Suspense>
    )
  )
}
