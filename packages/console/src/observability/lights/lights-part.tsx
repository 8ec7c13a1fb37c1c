import { Suspense } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Panel, Section } from '../overview/section.tsx'
import type { LitPlace } from './queries.ts'

const Lights = lazyPart(() => import('./lights.tsx'))

/** The height of the drawing and of what is below it, which nothing that arrives later changes. */
const OVERVIEW_ROOM = 'flex h-96 flex-col bg-sunken max-sm:h-108'
const SLED_ROOM = 'flex h-31 flex-col bg-sunken max-sm:h-48'

const titles = { fleet: 'The rack, live', silo: 'The silo’s share, live' } as const

/**
 * A place drawn as on the sign-in page, with a light for each instance and disk; nothing over a
 * control plane without the extension.
 */
export function LightsPart({ of }: { of: LitPlace }) {
  if (!useCapability('overviews')) return null
  const isSled = typeof of === 'object'
  const room = isSled ? SLED_ROOM : OVERVIEW_ROOM
  const label = isSled ? 'Lights of the sled' : titles[of]
  const picture = (
    <Panel>
      <Suspense fallback={<div className={room} />}>
        <Lights of={of} label={label} className={room} />
      </Suspense>
    </Panel>
  )
  if (!isSled) return <Section title={label}>{picture}</Section>
  return (
    <section aria-label={label} className="px-(--gutter) pb-6">
      {picture}
    </section>
  )
}
