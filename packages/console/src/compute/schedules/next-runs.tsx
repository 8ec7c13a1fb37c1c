import { nextRuns, type Recurrence } from '@steading/api/recurrence'
import { NEXT_RUNS_SHOWN } from '@steading/api/rules'
import { useId } from 'react'
import { useNow } from '../instances/failure.ts'

const partsOf = (time: Date, timeZone: string | undefined) => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    time.toLocaleString(undefined, { timeZone, ...options })
  return {
    day: format({ weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' }),
    time: format({ timeStyle: 'short' }),
  }
}

type NextRunsProps = {
  /** Undefined while the input is not complete. */
  recurrence: Recurrence | undefined
  /** Runs are shown in this time zone. */
  timeZone: string | undefined
  /** Text in place of the runs. */
  empty: string
}

/** The next runs, computed by the function of the control plane. */
export function NextRuns({ recurrence, timeZone, empty }: NextRunsProps) {
  const id = useId()
  const now = useNow(true)
  const runs = recurrence ? nextRuns(recurrence, now, NEXT_RUNS_SHOWN) : []
  return (
    <section aria-labelledby={id} className="rounded-card border bg-raised">
      <h2 id={id} className="border-b px-4 py-2.5 font-medium">
        Next runs
        {timeZone && <span className="ms-2 font-normal text-tertiary">{timeZone}</span>}
      </h2>
      {runs.length === 0 ? (
        <p className="px-4 py-3 text-secondary">{empty}</p>
      ) : (
        <ol className="px-4 py-2 tabular-nums">
          {runs.map((run) => {
            const { day, time } = partsOf(run, timeZone)
            return (
              <li key={run.getTime()} className="flex justify-between gap-4 py-1">
                <time dateTime={run.toISOString()}>{day}</time>
                <span className="text-secondary">{time}</span>
              </li>
            )
          })}
        </ol>
      )}
    </section>
  )
}
