import type { UseForecast } from '@steading/api/client'
import { forecastSentence } from './sentence.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const WIDTH = 320
const HEIGHT = 72
/** Width of the future relative to the past: limits of its share. */
const AHEAD = { least: 0.35, most: 2 }

const dayOf = (time: Date) => time.getTime() / DAY_MS

/** Chart of daily use, the capacity, and the likely range of future use. */
export function ForecastChart({ forecast }: { forecast: UseForecast }) {
  const { history, capacity, used, runsOut } = forecast
  const first = dayOf(history[0]!.timeBegun)
  const today = dayOf(history.at(-1)!.timeBegun)
  const past = Math.max(1, today - first)
  const end = runsOut ? dayOf(runsOut.timeLatest ?? runsOut.timeLikely) - today : 0
  const ahead = Math.min(Math.max(end * 1.1, past * AHEAD.least), past * AHEAD.most)
  const most = Math.max(used, ...history.map((day) => day.used))
  // Limit the axis: use far below the capacity would be a flat line at the bottom.
  const top = Math.min(capacity * 1.08, runsOut ? Infinity : most * 2) || 1
  const x = (day: number) => ((day - first) / (past + ahead)) * WIDTH
  const y = (amount: number) => HEIGHT - (Math.min(amount, top) / top) * (HEIGHT - 2)
  const point = (day: number, amount: number) => `${x(day).toFixed(1)},${y(amount).toFixed(1)}`
  const line = history
    .map(({ timeBegun, used: amount }) => point(dayOf(timeBegun), amount))
    .join(' ')
  /** Endpoint of a projection: at the end of the chart, or where use reaches the capacity. */
  const goesTo = (time: Date | undefined) => {
    if (!time) return [point(today + ahead, used)]
    const days = dayOf(time) - today
    if (days >= ahead) return [point(today + ahead, used + ((capacity - used) * ahead) / days)]
    return [point(today + days, capacity), point(today + ahead, capacity)]
  }
  const now = point(today, used)
  return (
    <svg
      role="img"
      aria-label={forecastSentence(forecast)}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-18 w-full overflow-visible [&_*]:[vector-effect:non-scaling-stroke]"
    >
      <polygon
        points={`${x(first)},${HEIGHT} ${line} ${x(today)},${HEIGHT}`}
        className="fill-blue-surface"
      />
      <polyline points={line} fill="none" className="stroke-blue-text" strokeWidth={1.5} />
      {runsOut && (
        <>
          <polygon
            points={[
              now,
              ...goesTo(runsOut.timeEarliest),
              ...goesTo(runsOut.timeLatest ?? undefined).toReversed(),
            ].join(' ')}
            className="fill-amber-surface"
          />
          <polyline
            points={[now, ...goesTo(runsOut.timeLikely)].join(' ')}
            fill="none"
            className="stroke-amber"
            strokeWidth={1.5}
            strokeDasharray="4 3"
          />
        </>
      )}
      {capacity <= top && (
        <line
          x1={0}
          x2={WIDTH}
          y1={y(capacity)}
          y2={y(capacity)}
          className="stroke-line-strong"
          strokeDasharray="2 3"
        />
      )}
      <line
        x1={x(today)}
        x2={x(today)}
        y1={0}
        y2={HEIGHT}
        className="stroke-line"
        strokeWidth={1}
      />
    </svg>
  )
}
