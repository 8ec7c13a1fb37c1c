import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useConnectionLost } from '../data/connection.ts'
import { ApiError, isNoAnswer, messageOf } from '../data/errors.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { SkeletonCell } from '../ui/table.tsx'
import { Mono } from '../ui/text.tsx'
import { tooltip } from '../ui/tooltip.tsx'

/**
 * Shown above outdated data after a failed refresh. A lost connection is left to the shell's
 * notice.
 */
export function QueryError({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const lost = useConnectionLost() !== undefined
  if (!error || (lost && isNoAnswer(error))) return null
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <Banner
      variant="error"
      title="Could not refresh"
      className="mx-(--gutter) mb-4"
      action={
        <Button size="sm" onClick={() => onRetry()}>
          Try again
        </Button>
      }
    >
      {messageOf(error)}
      {requestId && (
        <>
          {' '}
          (request <Mono>{requestId}</Mono>)
        </>
      )}
    </Banner>
  )
}

type OptionalValueProps<T> = { by: UseQueryResult<T>; children: (data: T) => ReactNode }

/** An optional value of a page, with a retry if it cannot be read. */
export function OptionalValue<T>({
  by: { data, error, refetch, isFetching },
  children,
}: OptionalValueProps<T>) {
  if (data !== undefined) return children(data)
  if (!error || isFetching) return <SkeletonCell />
  return (
    <button
      type="button"
      className="min-h-6 rounded-sm text-amber-text underline underline-offset-2"
      onClick={() => void refetch()}
      {...tooltip(`${messageOf(error)}. Try again`)}
    >
      Not loaded
    </button>
  )
}
