import type { Job, JobItem, JobItemState } from '@steading/api/client'
import { jobItemStates } from '@steading/api/rules'
import { useState, type ReactNode } from 'react'
import { Ban, Check, Circle, CircleMinus, CircleX } from 'lucide-react'
import { apiQuery, PAGE_SIZE } from '../../data/api.ts'
import { QueryError } from '../../page/query-error.tsx'
import { cx } from '../../ui/cx.ts'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { formatNumber } from '../../ui/number.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { Truncate } from '../../ui/text.tsx'
import { itemText, nameWithParents, stepDoing, stepDone } from './job-text.ts'
import { usePages } from '../../page/use-pages.ts'

const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const

const looks: Record<JobItemState, { label: string; mark: ReactNode }> = {
  refused: { label: 'Refused', mark: <Ban {...icon} className="text-amber-text" /> },
  waiting: { label: 'Waiting', mark: <Circle {...icon} size={12} className="text-tertiary" /> },
  running: { label: 'Running', mark: <Spinner className="text-amber-text" /> },
  succeeded: { label: 'Succeeded', mark: <Check {...icon} className="text-green-text" /> },
  failed: { label: 'Failed', mark: <CircleX {...icon} className="text-red-text" /> },
  cancelled: { label: 'Cancelled', mark: <CircleMinus {...icon} className="text-tertiary" /> },
}

const labelOf = (state: JobItemState, job: Job) =>
  state === 'waiting' && job.state === 'planned' ? 'Planned' : looks[state].label

/** An item in progress shows the state of its resource. */
const itemLabel = ({ state, step }: JobItem, job: Job) =>
  state === 'running' ? stepDoing(step) : labelOf(state, job)

type Shown = JobItemState | undefined

/** The items of a job, page by page; optionally filtered by state. */
export function JobItems({ job, suggested }: { job: Job; suggested?: JobItemState }) {
  const [chosen, setChosen] = useState<{ state: Shown }>()
  const wanted = chosen ? chosen.state : suggested
  // Falls back to all items once none is in the chosen state.
  const state = wanted && job.counts[wanted] > 0 ? wanted : undefined
  const total = Object.values(job.counts).reduce((sum, count) => sum + count, 0)
  return (
    <section aria-label="Items" className="flex grow flex-col gap-2">
      <div role="group" aria-label="Show" className="flex flex-wrap gap-1">
        <Choice
          label="All"
          count={total}
          on={!state}
          onClick={() => setChosen({ state: undefined })}
        />
        {jobItemStates
          .filter((each) => job.counts[each] > 0 && job.counts[each] < total)
          .map((each) => (
            <Choice
              key={each}
              label={labelOf(each, job)}
              count={job.counts[each]}
              on={state === each}
              onClick={() => setChosen({ state: each })}
            />
          ))}
      </div>
      <Items key={`${job.id} ${state}`} job={job} state={state} />
    </section>
  )
}

type ChoiceProps = { label: string; count: number; on: boolean; onClick: () => void }

const Choice = ({ label, count, on, onClick }: ChoiceProps) => (
  <button
    type="button"
    aria-pressed={on}
    onClick={onClick}
    className={cx(
      'h-6 rounded-full border px-2.5 text-xs tabular-nums',
      on
        ? 'border-accent-border bg-accent-surface text-accent-text'
        : 'border-line-strong text-secondary hover:bg-hover',
    )}
  >
    {label} <span className={on ? undefined : 'text-tertiary'}>{formatNumber(count)}</span>
  </button>
)

function Items({ job, state }: { job: Job; state: Shown }) {
  const {
    rows: items,
    pagination,
    error,
    refetch,
  } = usePages((pageToken) =>
    apiQuery(
      'jobItemList',
      { path: { job: job.id }, query: { limit: PAGE_SIZE, pageToken, state } },
      // A plan does not change.
      { allow404: true, staleTime: job.state === 'planned' ? Infinity : 0 },
    ),
  )
  return (
    <>
      <QueryError error={error} onRetry={refetch} />
      <div className="flex flex-[1_0_10rem] flex-col overflow-hidden rounded-card border [--gutter:12px]">
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
        <ul tabIndex={0} aria-label="Things" className="focus-inset min-h-0 flex-1 overflow-y-auto">
          {items
            ? items.map((item, index) => (
                <Item
                  key={item.position}
                  item={item}
                  job={job}
                  heading={headingOf(job, items, index)}
                />
              ))
            : !error && <ItemSkeletons />}
          {items?.length === 0 && (
            <li className="px-3 py-10 text-center text-tertiary">Nothing is in this state now</li>
          )}
        </ul>
        {pagination.hasPages && (
          <div className="shrink-0 border-t">
            <Pagination {...pagination} />
          </div>
        )}
      </div>
    </>
  )
}

export const ItemSkeletons = () =>
  ['w-40', 'w-32', 'w-48', 'w-36', 'w-28'].map((width) => (
    <li key={width} className="flex h-9 items-center gap-3 border-b px-3">
      <SkeletonCell width="w-3.5" />
      <SkeletonCell width={width} />
    </li>
  ))

/**
 * The heading above an item: its step, if there are several, or that it and the following ones
 * are refused. Refused items come first.
 */
function headingOf(job: Job, items: JobItem[], index: number): string | undefined {
  const isRefused = ({ state }: JobItem) => state === 'refused'
  const isStaged = items.some((item) => !isRefused(item) && item.stage > 0)
  const done = stepDone(job.action)
  const group = (item: JobItem) => {
    if (isRefused(item)) return `Can’t be ${done}`
    return isStaged ? `Step ${item.stage + 1}` : `Will be ${done}`
  }
  const all = items.map(group)
  const isPlain = !isStaged && new Set(all).size === 1
  return isPlain || all[index] === all[index - 1] ? undefined : all[index]
}

function Item({ item, job, heading }: { item: JobItem; job: Job; heading: string | undefined }) {
  const { thing, state, reason } = item
  return (
    <li className="border-b last:border-b-0">
      {heading && (
        <span className="label block border-b bg-raised px-3 py-1 text-tertiary">{heading}</span>
      )}
      <span className="flex min-h-9 gap-3 px-3 py-2">
        <span className="flex h-5 w-3.5 shrink-0 items-center justify-center">
          {looks[state].mark}
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex min-w-0 items-baseline gap-4">
            <Truncate text={nameWithParents(thing)} className="min-w-0 flex-1 text-primary" />
            <span className="shrink-0 text-xs text-tertiary max-sm:max-w-28 max-sm:truncate">
              {itemText(item, job.kind)}
            </span>
            <span className="w-18 shrink-0 text-end text-xs">{itemLabel(item, job)}</span>
          </span>
          {reason && (
            <span
              className={cx(
                'block text-xs wrap-anywhere',
                state === 'failed' ? 'text-red-text' : 'text-secondary',
              )}
            >
              {capitalized(reason)}
            </span>
          )}
        </span>
      </span>
    </li>
  )
}
