import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Check, Download, History, Link as LinkIcon, Play } from 'lucide-react'
import { useState } from 'react'
import { samePage } from '../../data/addresses.ts'
import { QueryError } from '../../page/query-error.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { RefreshInterval } from '../../ui/charts/refresh-interval.tsx'
import { TimeRangePicker } from '../../ui/charts/time-range-picker.tsx'
import { CUSTOM } from '../../ui/charts/time-range.ts'
import { useCopy } from '../../ui/clipboard.ts'
import { useCodeView } from '../../ui/code-view.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { quickActionsOf, useQuickActions } from '../../ui/quick-actions.ts'
import { saveFile } from '../../ui/save-file.ts'
import { QueryTabs } from '../../ui/tabs.tsx'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { call } from '../../workspace/as-code/steps.ts'
import { newRulePath } from '../alert-rules/queries.ts'
import { dashboardsPath } from '../dashboards/paths.ts'
import type { ExplorerSearch, QueryScope } from '../timeseries/explorer-link.ts'
import { useNameOfId } from '../timeseries/field-values.ts'
import { syntaxProblem } from '../timeseries/problem.ts'
import { QueryEditor } from '../timeseries/query-editor.tsx'
import { QueryResult } from '../timeseries/query-result.tsx'
import { QueryText } from '../timeseries/query-text.tsx'
import { csvOfRows, rowsOf } from '../timeseries/result-rows.ts'
import { seriesOf } from '../timeseries/result-series.ts'
import { queryFault } from '../timeseries/run-query.ts'
import { QueryBuilder } from '../timeseries/query-builder.tsx'
import { schemasQuery } from '../timeseries/schemas.ts'
import { examplesOf } from './examples.ts'
import { MetricInfo } from './metric-info.tsx'
import { rememberQuery } from './query-history.ts'
import { useExplored } from './use-explored.ts'
import { timeOfSearch, useSearchRange } from './use-search-range.ts'

const HistoryDialog = lazyPart(() =>
  import('./history-dialog.tsx').then((m) => ({ default: m.HistoryDialog })),
)

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

type ExplorerProps = { scope: QueryScope; search: ExplorerSearch }

/** Time series explorer, with the last query, its time range and its view in the address. */
export function Explorer({ scope, search }: ExplorerProps) {
  const { query: ran = '', view } = search
  const navigate = useNavigate()
  const change = (next: { [K in keyof ExplorerSearch]?: ExplorerSearch[K] | undefined }) =>
    void navigate(samePage((now: object) => ({ ...now, ...next })))
  /** The edited text, until another query is run or restored. */
  const [draft, setDraft] = useState({ ran, text: ran })
  const text = draft.ran === ran ? draft.text : ran
  const setText = (next: string) => setDraft({ ran, text: next })
  /** The rejected text of an invalid query. */
  const [tried, setTried] = useState<string>()
  /** A query that comes with the address is read first, and a new one is built. */
  const [mode, setMode] = useState<'text' | 'build'>(ran ? 'text' : 'build')
  const [showsHistory, setShowsHistory] = useState(false)

  const schemas = useQuery(schemasQuery(scope))
  const { data, error, isFetching, refetch } = useExplored(scope, ran, timeOfSearch(search))
  const range = data?.range
  const picker = useSearchRange(search, range, change)
  const nameOf = useNameOfId(scope, ran !== '')

  const fault = text === ran ? queryFault(error) : undefined
  const isTried = text !== '' && (text === tried || text === ran)
  const mistake = isTried ? syntaxProblem(text) : undefined
  const run = (next = text) => {
    const query = next.trim()
    if (query === '') return
    setText(next)
    if (syntaxProblem(query)) return setTried(next)
    rememberQuery(scope, query)
    if (query === ran) {
      setText(query)
      void refetch()
    } else change({ query })
  }
  const sent = data?.query ?? ran
  const code = useCodeView(
    ran
      ? () =>
          scope === 'system'
            ? asCode(call('systemTimeseriesQuery', { body: { query: sent } }))
            : asCode(call('timeseriesQuery', { query: scope, body: { query: sent } }))
      : undefined,
    'sm',
  )
  const saveCsv = () => {
    if (!data) return
    const series = seriesOf(data.result, schemas.data ?? [], data.isTimed ? data.range : undefined)
    saveFile('metrics.csv', [csvOfRows(rowsOf(series))], 'text/csv')
  }
  const calls = scope === 'system' ? 'systemTimeseriesQuery' : 'timeseriesQuery'
  useQuickActions(
    quickActionsOf([
      { label: 'Run query', calls, onAction: () => run() },
      { label: 'History of queries', local: true, onAction: () => setShowsHistory(true) },
    ]),
  )
  const known = schemas.data ?? []
  const editor = (
    <QueryEditor
      value={text}
      onChange={setText}
      schemas={known}
      scope={scope}
      error={mistake?.message ?? fault}
      onSubmit={() => run()}
      placeholder="get virtual_machine:vcpu_usage | align mean_within(1m)"
    />
  )
  const isEmpty =
    data !== undefined && data.result.tables.every((one) => one.timeseries.length === 0)
  return (
    <div className="flex flex-col gap-4 pb-6">
      <section aria-label="Query" className="mx-(--gutter) min-w-0 rounded-card border bg-raised">
        <div className="[--gutter:16px]">
          <QueryTabs
            label="Query input mode"
            selected={mode}
            onSelect={(id) => setMode(id === 'build' ? 'build' : 'text')}
            panelClass="p-4"
            tabs={[
              {
                id: 'build',
                label: 'Build',
                content: (
                  <QueryBuilder
                    text={text}
                    onChange={setText}
                    schemas={known}
                    scope={scope}
                    onShowText={() => setMode('text')}
                  />
                ),
              },
              { id: 'text', label: 'Write', content: editor },
            ]}
          />
        </div>
        <div className="flex flex-wrap items-center gap-2 border-t px-4 py-3">
          <Button
            variant="primary"
            icon={<Play {...icon} />}
            sends
            calls={calls}
            disabledReason={text.trim() === '' && 'There is no query to run'}
            loading={isFetching && text === ran}
            onClick={() => run()}
          >
            Run
          </Button>
          <Button icon={<History {...icon} />} onClick={() => setShowsHistory(true)}>
            History
          </Button>
          {mode === 'text' && (
            <span className="text-xs text-tertiary max-md:hidden">
              Ctrl+Enter runs the query, Ctrl+Space completes it.
            </span>
          )}
        </div>
      </section>
      <MetricInfo text={text} schemas={known} />
      {ran === '' ? (
        <Examples
          scope={scope}
          onChoose={(query) => {
            setMode('text')
            run(query)
          }}
        />
      ) : (
        <section aria-label="Result" className="flex min-w-0 flex-col gap-4 px-(--gutter)">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <div className="flex flex-wrap items-center gap-2">
              <RefreshInterval
                standing={picker.choice === CUSTOM}
                onTick={() => {
                  if (!isFetching && !error) void refetch()
                }}
                onRefresh={refetch}
              />
              <ViewChoice view={view ?? 'chart'} onChange={(next) => change({ view: next })} />
            </div>
            <TimeRangePicker time={picker} />
          </div>
          <SentQuery query={data?.query} isTimed={data?.isTimed} />
          {data !== undefined && !queryFault(error) && (
            <div className="-mx-(--gutter) empty:hidden">
              <QueryError error={error} onRetry={refetch} />
            </div>
          )}
          <QueryResult
            result={data?.result}
            query={ran}
            error={mistake && text === ran ? undefined : error}
            onRetry={refetch}
            range={range ?? picker.chosen}
            ownTime={data?.isTimed === false}
            schemas={known}
            view={view}
            nameOf={nameOf}
          />
          <div className="flex flex-wrap items-center gap-2">
            <Button
              size="sm"
              icon={<Download {...icon} size={14} />}
              disabledReason={(!data || isEmpty) && 'There is no result to save'}
              onClick={saveCsv}
            >
              Save CSV
            </Button>
            <CopyLink />
            <LinkButton size="sm" to={dashboardsPath(scope, ran)}>
              Add to dashboard
            </LinkButton>
            {data?.isTimed !== false && (
              // A rule evaluates the newest points, so its query has no time range.
              <LinkButton size="sm" to={newRulePath(scope, ran)}>
                Create alert
              </LinkButton>
            )}
            {code.toggle}
          </div>
          {code.view && <div className="overflow-clip rounded-card border">{code.view}</div>}
        </section>
      )}
      {showsHistory && (
        <DialogPart onDismiss={() => setShowsHistory(false)}>
          <HistoryDialog
            scope={scope}
            onChoose={(query) => {
              setShowsHistory(false)
              run(query)
            }}
            onDismiss={() => setShowsHistory(false)}
          />
        </DialogPart>
      )}
    </div>
  )
}

type View = NonNullable<ExplorerSearch['view']> | 'chart'

const ViewChoice = (props: { view: View; onChange: (view: ExplorerSearch['view']) => void }) => (
  <div role="group" aria-label="View" className="flex gap-1">
    {(['chart', 'table'] as const).map((one) => (
      <Button
        key={one}
        variant={props.view === one ? 'secondary' : 'ghost'}
        aria-pressed={props.view === one}
        onClick={() => props.onChange(one === 'table' ? one : undefined)}
      >
        {one === 'chart' ? 'Chart' : 'Table'}
      </Button>
    ))}
  </div>
)

/** Copies the address, which contains the query, its time range and its view. */
function CopyLink() {
  const [copied, copy] = useCopy(location.href)
  const Icon = copied ? Check : LinkIcon
  return (
    <Button size="sm" icon={<Icon {...icon} size={14} />} onClick={copy}>
      <span aria-live="polite">{copied ? 'Copied' : 'Copy link'}</span>
    </Button>
  )
}

type ExamplesProps = { scope: QueryScope; onChoose: (query: string) => void }

const Examples = ({ scope, onChoose }: ExamplesProps) => (
  <section aria-labelledby="examples" className="px-(--gutter)">
    <h2 id="examples" className="mb-3 text-base font-medium">
      Begin with an example
    </h2>
    <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {examplesOf(scope).map(({ title, description, query }) => (
        <li key={title} className="flex min-w-0">
          <button
            type="button"
            onClick={() => onChoose(query)}
            className="flex min-w-0 flex-1 flex-col items-start gap-1 rounded-card border bg-raised p-4 text-start hover:bg-hover"
          >
            <span className="font-medium">{title}</span>
            <span className="text-secondary">{description}</span>
            <span className="mt-2 w-full font-mono text-xs/5 whitespace-pre-wrap text-tertiary">
              {query}
            </span>
          </button>
        </li>
      ))}
    </ul>
  </section>
)

type SentQueryProps = { query: string | undefined; isTimed: boolean | undefined }

/**
 * The query as sent, including the range. Its line has a fixed height before the answer
 * arrives.
 */
export const SentQuery = ({ query, isTimed }: SentQueryProps) => (
  <details className="min-w-0 text-xs text-secondary">
    <summary className="w-fit rounded-sm">
      {isTimed === false
        ? 'The query specifies its own time, so the range is not added to it.'
        : 'The range is added to the query as a filter on timestamp.'}{' '}
      <span className="text-accent-text">Show the sent query</span>
    </summary>
    <pre className="mt-2 rounded-control border bg-sunken p-3 font-mono text-xs/5 break-words whitespace-pre-wrap text-primary">
      {query !== undefined && <QueryText text={query} />}
    </pre>
  </details>
)
