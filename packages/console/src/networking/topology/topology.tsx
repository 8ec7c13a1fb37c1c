import { type ComponentProps, Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'
import { EmptyFrame } from './empty-frame.tsx'
import type TopologyPart from './topology-part.tsx'

const Part = lazyPart(() => import('./topology-part.tsx'))

/** The map of a network, loaded lazily. */
export const Topology = (props: ComponentProps<typeof TopologyPart>) => (
  <Suspense fallback={<EmptyFrame />}>
    <Part {...props} />
  </Suspense>
)
