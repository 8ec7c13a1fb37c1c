import type { ComponentProps } from 'react'
import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'

const Project = lazyPart(() =>
  import('./provisioned-charts.tsx').then((m) => ({ default: m.ProvisionedInProject })),
)
const Silo = lazyPart(() =>
  import('./provisioned-charts.tsx').then((m) => ({ default: m.ProvisionedInSilo })),
)

/** Three charts with their controls, as high as they will be. */
const Room = () => (
  <div className="flex flex-col gap-4 px-(--gutter)" aria-busy>
    <div className="h-8" />
    {[1, 2, 3].map((chart) => (
      <div key={chart} className="h-[407px] rounded-card border bg-raised" />
    ))}
  </div>
)

/** What was provisioned in the own silo, or in one of its projects; the code comes after the page. */
export const OwnProvisioned = () => (
  <Suspense fallback={<Room />}>
    <Project />
  </Suspense>
)

/** What was provisioned in the fleet, or in one of its silos. */
export const FleetProvisioned = (props: ComponentProps<typeof Silo>) => (
  <Suspense fallback={<Room />}>
    <Silo {...props} />
  </Suspense>
)
