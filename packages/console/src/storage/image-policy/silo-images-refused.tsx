import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'

const RefusalReason = lazyPart(() => import('./refusal-reason.tsx'))

/** Says why the images of the silo are not offered to the user. */
export const SiloImagesRefused = () => (
  <Suspense>
    <RefusalReason />
  </Suspense>
)
