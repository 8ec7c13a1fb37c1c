import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { RotateCw, TriangleAlert } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { offerNames, type Offer, type Part } from './queries.ts'

const NotShown = lazyPart(() => import('./not-shown.tsx'))

type Props = { part: Part; offer: Offer; children: ReactNode }

/**
 * Part of the form that depends on a list of choices. It shows the loading and error states of the
 * list, so the rest of the form stays usable.
 */
export function ChoicesPart({ part, offer, children }: Props) {
  const { loading, failure, refused } = offer.reading[part]
  const name = offerNames[part]
  const [trying, setTrying] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  // The retry button disappears after a success and must not take the focus with it.
  const returns = useRef(false)
  const isKnown = !trying && !loading && !failure
  useEffect(() => {
    if (!isKnown || !returns.current) return
    returns.current = false
    if (document.activeElement !== document.body) return
    box.current?.querySelector<HTMLElement>('input, button, textarea')?.focus()
  }, [isKnown])
  const retry = async () => {
    if (!failure) return
    setTrying(true)
    returns.current = true
    await failure.retry().catch(() => {})
    setTrying(false)
  }
  if (isKnown && refused && part !== 'utilization' && part !== 'pools') {
    return (
      <Suspense>
        <NotShown part={part} />
      </Suspense>
    )
  }
  if (isKnown) {
    return (
      <div ref={box} className="contents">
        {children}
      </div>
    )
  }
  return (
    <div className="rounded-card border border-dashed border-line-strong px-4 py-3">
      {loading && !trying ? (
        <div role="status" className="flex min-h-7 items-center gap-2 text-secondary">
          <Spinner /> Loading {inSentence(name)}…
        </div>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div role="alert" className="flex min-w-0 items-start gap-2">
            <TriangleAlert
              size={16}
              strokeWidth={1.5}
              aria-hidden
              className="mt-0.5 shrink-0 text-amber-text"
            />
            <span className="min-w-0 wrap-anywhere">
              {name} could not be loaded
              {failure && <span className="block text-secondary">{failure.message}</span>}
            </span>
          </div>
          <Button
            size="sm"
            icon={<RotateCw size={14} strokeWidth={1.5} aria-hidden />}
            aria-label={`Retry loading ${inSentence(name)}`}
            loading={trying}
            onClick={() => void retry()}
          >
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

/** `Silo images` → `silo images`; `IP pools` stays. */
const inSentence = (name: string) =>
  /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
