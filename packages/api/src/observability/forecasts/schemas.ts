import { forecastOutlooks, forecastResources, forecastSubjects } from './rules.ts'
import { array, dateTime, double, named, Name, oneOf, record, uint, uuid } from '../../schema.ts'

/** The most that was in use on a day, as seen once an hour; a day begins at midnight UTC. */
const DayOfUse = record('DayOfUse', { time_begun: dateTime, used: double })

/** When something will be used up at its pace. */
const RunsOut = record('RunsOut', {
  time_earliest: dateTime,
  time_likely: dateTime,
  /** Null if it may never happen. */
  time_latest: dateTime.nullable(),
})

/** How the use of a quota or a pool has gone, and where that leads. */
export const UseForecast = record('UseForecast', {
  resource: named('ForecastResource', oneOf(...forecastResources)),
  used: double,
  capacity: double,
  history: array(DayOfUse),
  /** The days between the first and the last one. */
  days: uint,
  outlook: named('ForecastOutlook', oneOf(...forecastOutlooks)),
  /** Only of what grows, and not if that would take more than ten years. */
  runs_out: RunsOut.nullable(),
})
export const UseForecasts = record('UseForecasts', { forecasts: array(UseForecast) })

/** A forecast of a silo or a pool. */
const SubjectForecast = record('SubjectForecast', {
  kind: named('ForecastSubject', oneOf(...forecastSubjects)),
  id: uuid,
  name: Name,
  forecast: UseForecast,
})
/** What will run out first. */
export const SystemForecast = record('SystemForecast', { items: array(SubjectForecast) })
