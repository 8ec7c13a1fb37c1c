import { apiQuery } from '../../data/api.ts'
import type { SystemForecast, UseForecast, UseForecasts } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { LoadError } from '../../page/load-error.tsx'
import { Card } from '../../ui/card.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Tag } from '../../ui/tag.tsx'
import { ForecastChart } from './chart.tsx'
import { forecastSentence, tooLittleHistory } from './sentence.ts'

/** A chart needs at least two days of history. */
const hasLine = ({ history }: UseForecast) => history.length > 1

const isTooNew = ({ outlook }: UseForecast) => outlook === 'too_little_history'

function Forecast({ forecast }: { forecast: UseForecast }) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {hasLine(forecast) && <ForecastChart forecast={forecast} />}
      <p className={forecast.outlook === 'growing' ? undefined : 'text-secondary'}>
        {forecastSentence(forecast)}
      </p>
    </div>
  )
}

type ForecastsProps = {
  query: { queryKey: readonly unknown[]; queryFn: () => Promise<UseForecasts> }
}

/** Forecasts for the quotas of a silo, or for a pool. */
export function Forecasts({ query }: ForecastsProps) {
  const { data, error, refetch } = useQuery(query)
  if (error) return <LoadError what="The forecast" error={error} onRetry={refetch} />
  const known = data?.forecasts.filter((forecast) => !isTooNew(forecast)) ?? []
  const tooNew = data?.forecasts.filter(isTooNew) ?? []
  return (
    <Card
      title="Forecast"
      description="Based on each day’s peak use. Dashed lines show the limit and the forecast"
    >
      {(!data || known.length > 0) && (
        <div className="grid min-h-32 gap-6 p-4 md:auto-cols-fr md:grid-flow-col">
          {known.map((forecast) => (
            <Forecast key={forecast.resource} forecast={forecast} />
          ))}
        </div>
      )}
      {tooNew.length > 0 && (
        <p className="p-4 text-secondary">
          {tooLittleHistory(tooNew.map(({ resource }) => resource))}
        </p>
      )}
    </Card>
  )
}

type Item = SystemForecast['items'][number]

const words: Record<Item['kind'], string> = {
  silo: 'silo',
  system_ip_pool: 'IP pool',
  system_subnet_pool: 'subnet pool',
}

/** Link to the page on which an operator adds capacity. */
function CapacityLink({ kind, id, name }: Item) {
  switch (kind) {
    case 'silo':
      return (
        <TextLink to="/system/silos/$silo/quotas" params={{ silo: name }}>
          {name}
        </TextLink>
      )
    case 'system_ip_pool':
      return (
        <TextLink to="/system/networking/ip-pools/$pool" params={{ pool: id }}>
          {name}
        </TextLink>
      )
    case 'system_subnet_pool':
      return (
        <TextLink to="/system/networking/subnet-pools/$pool" params={{ pool: id }}>
          {name}
        </TextLink>
      )
  }
}

/** Quotas and pools that will be used up first. */
export function FirstToRunOut() {
  const { data, error, refetch } = useQuery(apiQuery('systemForecast', {}))
  if (error) return <LoadError what="The forecast" error={error} onRetry={refetch} />
  return (
    <Card title="Running out" description="Quotas and pools that run out first at the current rate">
      {data && data.items.length === 0 && (
        <p className="p-4 text-secondary">Nothing runs out at the current rate.</p>
      )}
      <ul className="divide-y divide-line">
        {data?.items.map((item) => (
          <li
            key={`${item.id} ${item.forecast.resource}`}
            className="grid items-center gap-x-6 gap-y-3 p-4 md:grid-cols-[minmax(0,1fr)_20rem]"
          >
            <div className="flex min-w-0 flex-col gap-1">
              <span className="flex min-w-0 items-center gap-2">
                <CapacityLink {...item} />
                <Tag>{words[item.kind]}</Tag>
              </span>
              <p className="text-secondary">{forecastSentence(item.forecast)}</p>
            </div>
            {hasLine(item.forecast) && <ForecastChart forecast={item.forecast} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}
