import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { PlannedChange } from './what-changes.tsx'

const WhatChanges = lazyPart(() =>
  import('./what-changes.tsx').then((module) => ({ default: module.WhatChanges })),
)

/**
 * Connections a change would open and close, below the text of a confirmation or the fields of a
 * small form. Loaded lazily.
 */
export const PlannedChanges = ({ change }: { change: PlannedChange | undefined }) => (
  <div className="min-h-16 text-primary">
    <Suspense fallback={<div className="h-16" />}>
      <WhatChanges change={change} />
    </Suspense>
  </div>
)
