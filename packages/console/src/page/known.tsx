import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../data/errors.ts'
import { SkeletonCell } from '../ui/table.tsx'
import { tooltip } from '../ui/tooltip.tsx'

type KnownProps<T> = { by: UseQueryResult<T>; children: (data: T) => ReactNode }

/** A value that its page can exist without; where it cannot be read, the user can try again. */
export function Known<T>({ by: { data, error, refetch, isFetching }, children }: KnownProps<T>) {
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
