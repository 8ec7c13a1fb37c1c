import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { PlannedChange } from './connection-changes.tsx'

const ConnectionChanges = lazyPart(() =>
  import('./connection-changes.tsx').then((module) => ({ default: module.ConnectionChanges })),
)

/**
 * Connections a change would open and close, below the text of a confirmation or the fields of a
 * small form. Loaded lazily.
 */
export const PlannedChanges = ({ change }: { change: PlannedChange | undefined }) => (
  <div className="min-h-16 text-primary">
    <Suspense fallback={<div className="h-16" />}>
      <ConnectionChanges change={change} />
    </Suspense>
  </div>
)
