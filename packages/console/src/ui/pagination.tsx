import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from './button.tsx'
import { type RowRange, rowRangeText } from './list-controls/count-text.ts'
import { Spinner } from './spinner.tsx'

export type PaginationProps = {
  pageSize: number
  /** Position of the shown rows. */
  rowRange?: RowRange
  hasPrev: boolean
  hasNext: boolean
  /** More than one page exists, as far as known from the shown one. */
  hasPages: boolean
  loading: boolean
  onPrev: () => void
  onNext: () => void
}

/** Navigation between pages; hidden while all rows fit on one. */
export function Pagination(props: PaginationProps) {
  const { pageSize, rowRange, hasPrev, hasNext, loading, onPrev, onNext } = props
  if (!props.hasPages) return null
  return (
    <nav aria-label="Pagination" className="flex h-12 items-center justify-between px-(--gutter)">
      <span className="text-tertiary max-sm:sr-only">
        rows per page <span className="ms-1 text-primary tabular-nums">{pageSize}</span>
      </span>
      <span className="-me-2 flex items-center gap-1 max-sm:flex-1 max-sm:justify-end">
        {rowRange && (
          <span className="me-2 text-tertiary tabular-nums max-sm:me-auto">
            {rowRangeText(rowRange)}
          </span>
        )}
        {loading && <Spinner className="me-2 text-tertiary" />}
        <Button
          variant="ghost"
          size="sm"
          disabled={!hasPrev}
          onClick={onPrev}
          icon={<ChevronLeft size={16} strokeWidth={1.5} aria-hidden />}
        >
          prev
        </Button>
        <Button variant="ghost" size="sm" disabled={!hasNext} onClick={onNext}>
          next
          <ChevronRight size={16} strokeWidth={1.5} aria-hidden />
        </Button>
      </span>
    </nav>
  )
}
