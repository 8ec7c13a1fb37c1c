import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useState, type ReactNode, useRef } from 'react'
import { limitConcurrency } from '../data/throttle.ts'
import { SkeletonCell } from '../ui/table.tsx'

/** Whether an element is or was on the screen. */
function useOnScreen(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen || !element.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, seen])
  return seen
}

/** Limit of concurrent reads for cells. */
const ask = limitConcurrency(4)

type LazyCellProps<Answer> = {
  /** Noun for the data, used in a sentence. */
  what: string
  query: {
    queryKey: readonly unknown[]
    queryFn: () => Promise<Answer>
    enabled?: boolean | (() => boolean)
  }
  children: (answer: Answer) => ReactNode
}

/** A cell whose value is not part of the list. It is read for visible rows, a few at a time. */
export function LazyCell<Answer>({ what, query, children }: LazyCellProps<Answer>) {
  const { enabled = true } = query
  const place = useRef<HTMLSpanElement>(null)
  const onScreen = useOnScreen(place)
  const { data, isError, refetch } = useQuery({
    ...query,
    queryFn: () => ask(query.queryFn),
    enabled: () => onScreen && (typeof enabled === 'function' ? enabled() : enabled),
  })
  return (
    <span ref={place}>
      {data !== undefined ? (
        children(data)
      ) : isError ? (
        <button
          type="button"
          aria-label={`Try again to read ${what}`}
          className="focus-inset -mx-1.5 min-h-6 rounded-control px-1.5 text-secondary underline-offset-2 hover:text-primary hover:underline"
          onClick={() => void refetch()}
        >
          Try again
        </button>
      ) : (
        <SkeletonCell width="w-28" />
      )}
    </span>
  )
}
