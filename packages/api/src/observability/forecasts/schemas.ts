import { forecastOutlooks, forecastResources, forecastSubjects } from './rules.ts'
import { dateTime, double, list, Name, named, oneOf, record, uint, uuid } from '../../schema.ts'

/** Peak usage of a day, sampled hourly; a day begins at midnight UTC. */
const DayOfUse = record('DayOfUse', { time_begun: dateTime, used: double })

/** Forecast time of exhaustion. */
const RunsOut = record('RunsOut', {
  time_earliest: dateTime,
  time_likely: dateTime,
  /** Null if it may never happen. */
  time_latest: dateTime.nullable(),
})

/** Usage history of a quota or a pool, and its forecast. */
export const UseForecast = record('UseForecast', {
  resource: named('ForecastResource', oneOf(...forecastResources)),
  used: double,
  capacity: double,
  history: list(DayOfUse),
  /** Days between the first and the last one. */
  days: uint,
  outlook: named('ForecastOutlook', oneOf(...forecastOutlooks)),
  /** Only for growing usage, and within ten years. */
  runs_out: RunsOut.nullable(),
})
export const UseForecasts = record('UseForecasts', { forecasts: list(UseForecast) })

/** A forecast of a silo or a pool. */
const SubjectForecast = record('SubjectForecast', {
  kind: named('ForecastSubject', oneOf(...forecastSubjects)),
  id: uuid,
  name: Name,
  forecast: UseForecast,
})
/** The resources that run out first. */
export const SystemForecast = record('SystemForecast', { items: list(SubjectForecast) })
