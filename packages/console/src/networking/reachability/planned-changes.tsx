import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { PlannedChange } from './what-changes.tsx'

const WhatChanges = lazyPart(() =>
  import('./what-changes.tsx').then((module) => ({ default: module.WhatChanges })),
)

/**
 * Which connections would open and close, below the text of a question or the fields of a small form.
 * Its code is loaded once it is shown.
 */
export const PlannedChanges = ({ change }: { change: PlannedChange | undefined }) => (
  <div className="min-h-16 text-primary">
    <Suspense fallback={<div className="h-16" />}>
      <WhatChanges change={change} />
    </Suspense>
  </div>
)
