import type { ComponentProps } from 'react'
import { Suspense } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

const Quotas = lazyPart(() => import('./forecasts.tsx').then((m) => ({ default: m.Forecasts })))
const First = lazyPart(() => import('./forecasts.tsx').then((m) => ({ default: m.FirstToRunOut })))

/** Forecasts, if the control plane supports them; their code loads after the page. */
export const Forecasts = (props: ComponentProps<typeof Quotas>) =>
  useCapability('forecasts') && (
    <Suspense>
      <Quotas {...props} />
    </Suspense>
  )

export const FirstToRunOut = () =>
  useCapability('forecasts') && (
    <Suspense>
      <First />
    </Suspense>
  )
