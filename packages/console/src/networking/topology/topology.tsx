import { type ComponentProps, Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'
import type TopologyPart from './topology-part.tsx'

const Part = lazyPart(() => import('./topology-part.tsx'))

/** Placeholder for the map of a network. */
export const EmptyFrame = () => <div className="min-h-112 flex-1 border-t bg-sunken" />

/** The map of a network, loaded lazily. */
export const Topology = (props: ComponentProps<typeof TopologyPart>) => (
  <Suspense fallback={<EmptyFrame />}>
    <Part {...props} />
  </Suspense>
)
