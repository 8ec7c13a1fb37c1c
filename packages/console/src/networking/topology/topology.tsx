import { type ComponentProps, Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'
import { EmptyFrame } from './empty-frame.tsx'
import type TopologyPart from './topology-part.tsx'

const Part = lazyPart(() => import('./topology-part.tsx'))

/** The picture of a network. Its code comes after the page that shows it. */
export const Topology = (props: ComponentProps<typeof TopologyPart>) => (
  <Suspense fallback={<EmptyFrame />}>
    <Part {...props} />
  </Suspense>
)
