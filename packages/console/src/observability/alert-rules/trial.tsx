import type { AlertRuleFiring, AlertRuleTrial } from '@steading/api/client'
import { invalidValueProblem, TRIAL_HOURS_MAX } from '@steading/api/rules'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { call } from '../../data/api.ts'
import { ApiError } from '../../data/errors.ts'
import { Banner } from '../../ui/banner.tsx'
import { ChartCard } from '../../ui/charts/chart-card.tsx'
import { ChartGroup } from '../../ui/charts/chart-group.tsx'
import { useDebounced } from '../../ui/steady-value.ts'
import { useNameOfId } from '../timeseries/field-values.ts'
import { unitFormat } from '../timeseries/unit-format.ts'
import type { RuleOwner } from './queries.ts'
import { bandsOf, chartOf, trialSentence } from './trial-view.ts'

export type Condition = Pick<
  AlertRuleTrial,
  'query' | 'comparison' | 'threshold' | 'duration' | 'tagFilter'
>

/** Delay after typing, in milliseconds. */
const PAUSE = 500

const hours = TRIAL_HOURS_MAX

/** Reason why the control plane refuses a query. */
export type Refused = { query: string; message: string }

type TrialProps = {
  owner: RuleOwner
  condition: Condition
  /** Actual firings; without them, the chart marks hypothetical ones. */
  firings?: readonly AlertRuleFiring[]
  /**
   * Receives the reason for a refused query, if the caller shows it beside the field; undefined
   * once resolved.
   */
  onRefused?: (refused: Refused | undefined) => void
}

/** Current and past results of a rule, as a chart that follows the form's input. */
export function Trial({ owner, condition, firings, onRefused }: TrialProps) {
  const rested = useDebounced(condition, PAUSE)
  const { data, error, refetch } = useQuery({
    queryKey: ['alertRuleTry', owner, rested],
    queryFn: ({ signal }) => {
      const body = { ...rested, hours }
      const options = { signal, expected: [400, 503] }
      return owner === undefined
        ? call('systemAlertRuleTry', { body }, options)
        : call('alertRuleTry', { query: { project: owner }, body }, options)
    },
    enabled: rested.query.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  })
  const { threshold } = rested
  const nameOf = useNameOfId(
    owner === undefined ? 'system' : { project: owner },
    data !== undefined,
  )
  const chart = useMemo(() => data && chartOf(data, threshold, nameOf), [data, threshold, nameOf])
  const bands = useMemo(() => {
    if (!data) return undefined
    return firings
      ? bandsOf('Fired', firings, data.timeTo)
      : bandsOf(
          'Would have fired',
          data.series.flatMap((series) => series.firings),
          data.timeTo,
        )
  }, [data, firings])
  const refused = error instanceof ApiError && error.statusCode === 400 ? error : undefined
  const reason = refused && (invalidValueProblem(refused.message, 'query') ?? refused.message)
  const { query } = rested
  useEffect(() => {
    onRefused?.(reason === undefined ? undefined : { query, message: reason })
  }, [onRefused, query, reason])
  if (rested.query.trim() === '') {
    return (
      <p className="text-secondary">
        With a query and a threshold, this shows when the rule would have fired in the last {hours}{' '}
        hours.
      </p>
    )
  }
  const range = data
    ? { from: data.timeFrom.getTime(), to: data.timeTo.getTime() }
    : { from: 0, to: 1 }
  return (
    <section aria-label="Trial" className="flex min-w-0 flex-col gap-3">
      <p role="status" className="min-h-5 text-secondary">
        {!error && data && trialSentence(data, hours)}
      </p>
      {refused && onRefused ? (
        <p className="text-secondary">The trial comes back once the query can be answered.</p>
      ) : refused ? (
        <Banner variant="notice" title="The rule cannot be tried">
          <span className="font-mono text-xs whitespace-pre-wrap">{reason}</span>
        </Banner>
      ) : (
        <ChartGroup range={range}>
          <ChartCard
            title={`Last ${hours} hours`}
            unit={chart?.format.unit ?? 'value'}
            data={chart?.data}
            bands={bands}
            error={error}
            onRetry={refetch}
            range={range}
            format={chart?.format ?? unitFormat(null, 0)}
          />
        </ChartGroup>
      )}
    </section>
  )
}
