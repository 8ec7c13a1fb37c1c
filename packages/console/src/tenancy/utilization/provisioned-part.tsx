import type { ComponentProps } from 'react'
import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'

const Project = lazyPart(() =>
  import('./provisioned-charts.tsx').then((m) => ({ default: m.ProvisionedInProject })),
)
const Silo = lazyPart(() =>
  import('./provisioned-charts.tsx').then((m) => ({ default: m.ProvisionedInSilo })),
)

/** Placeholder with the final height of three charts and their controls. */
const Room = () => (
  <div className="flex flex-col gap-4 px-(--gutter)" aria-busy>
    <div className="h-8" />
    {[1, 2, 3].map((chart) => (
      <div key={chart} className="h-[407px] rounded-card border bg-raised" />
    ))}
  </div>
)

/**
 * Provisioned amounts of the user's own silo, or of one of its projects; the code loads after
 * the page.
 */
export const OwnProvisioned = () => (
  <Suspense fallback={<Room />}>
    <Project />
  </Suspense>
)

/** Provisioned amounts of the fleet, or of one of its silos. */
export const FleetProvisioned = (props: ComponentProps<typeof Silo>) => (
  <Suspense fallback={<Room />}>
    <Silo {...props} />
  </Suspense>
)
