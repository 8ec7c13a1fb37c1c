import { instanceCan, instanceIsTransitioning, type InstanceState } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ArrowLeft } from 'lucide-react'
import { apiQuery, invalidate, usePrefetchedQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { onConnection } from '../../data/connection.ts'
import { useLiveState } from '../../data/live.ts'
import { FailureSentences } from '../instances/failure-notice.tsx'
import { useStartInstance } from '../instances/start-instance.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { saveFile } from '../../ui/save-file.ts'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { SerialConsoleCliCommand } from './cli-command.tsx'
import { ConsoleConnection, type ConnectionState } from './connection.ts'
import {
  consoleComes,
  ConsoleFailed,
  ConsoleSkeleton,
  NotConnectable,
  Off,
  Reconnecting,
} from './console-states.tsx'
import { readHistory, readKeptLog } from './log.ts'
import { consoleUrl } from './socket.ts'

const loadTerminal = () => import('./terminal-view.tsx')
const TerminalView = lazyPart(loadTerminal)

type Params = { project: string; instance: string }

export function SerialConsolePage() {
  const { project, instance } = useParams({ strict: false }) as Params
  return <SerialConsole key={`${project}/${instance}`} project={project} instance={instance} />
}

const LOG_TYPE = 'text/plain;charset=utf-8'
const noLog = async () => undefined

/** The polling interval of the instance, in milliseconds. */
function interval(state: InstanceState, connected: boolean, live: boolean): number | false {
  if (consoleComes[state]) return 1000
  if (connected || live) return false
  return instanceIsTransitioning(state) ? 2000 : 5000
}

function useConsole(params: Params, state: InstanceState) {
  const follows = useCapability('serialConsoleResume')
  const keepsLog = useCapability('serialConsoleLog')
  const [connection] = useState(
    () =>
      new ConsoleConnection({
        follows,
        url: (place) => consoleUrl({ ...params, follows, place }),
        ...(keepsLog && { readLog: (from) => readKeptLog(params, from) }),
        onLost: () => void invalidate('instanceView'),
      }),
  )
  const connectable = instanceCan('serialConsole', state)
  useEffect(() => connection.want(connectable), [connection, connectable])
  useEffect(() => {
    void loadTerminal()
    connection.want(connectable)
    addEventListener('online', connection.retry)
    const stop = onConnection((isLost) => isLost || connection.retry())
    return () => {
      removeEventListener('online', connection.retry)
      stop()
      connection.disconnect()
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the state is followed above
  }, [connection])
  const status = useSyncExternalStore(connection.subscribe, connection.snapshot)
  const download = async () => {
    const readAll = keepsLog ? undefined : connectable ? () => readHistory(params) : noLog
    saveFile(`${params.instance}-serial-console.log`, await connection.wholeLog(readAll), LOG_TYPE)
  }
  return { connection, connectable, status, download }
}

function SerialConsole(params: Params) {
  const query = apiQuery('instanceView', {
    path: { instance: params.instance },
    query: { project: params.project },
  })
  const data = usePrefetchedQuery(query).data
  const { runState } = data
  const { connection, connectable, status, download } = useConsole(params, runState)
  const start = useStartInstance(params.project)(data)
  const failure = <FailureSentences project={params.project} instance={data} />
  const live = useLiveState() === 'live'
  useQuery({ ...query, refetchInterval: interval(runState, status.status === 'open', live) })
  const footer = useRef<HTMLButtonElement>(null)
  const [tools, setTools] = useState<HTMLElement | null>(null)
  return (
    <div className="flex h-[calc(100dvh-var(--shell-top))] min-h-64 flex-col overflow-hidden">
      <header className="flex shrink-0 items-center gap-4 border-b px-(--gutter) max-sm:gap-2 py-2.5">
        <BackLink {...params} />
        <h1
          className="ml-auto min-w-0 truncate font-medium text-secondary max-sm:ml-0 max-sm:flex-1"
          {...tooltip(params.instance, 'truncated')}
        >
          {params.instance}
        </h1>
        <div ref={setTools} className="flex empty:hidden" />
      </header>
      <div className="flex min-h-0 flex-1 flex-col">
        {status.hasOutput ? (
          <>
            {!connectable ? (
              <Off
                state={runState}
                incomplete={status.status === 'failed'}
                start={start}
                failure={failure}
                onRetry={connection.retry}
              />
            ) : (
              status.status !== 'open' && <Reconnecting state={status} onRetry={connection.retry} />
            )}
            <Suspense fallback={<ConsoleSkeleton />}>
              <TerminalView
                connection={connection}
                tools={tools}
                onDownload={download}
                onLeave={() => footer.current?.focus()}
              />
            </Suspense>
          </>
        ) : status.status === 'failed' ? (
          <ConsoleFailed
            connectable={connectable}
            reason={status.reason}
            onRetry={connection.retry}
          />
        ) : connectable || status.status === 'reading' ? (
          <ConsoleSkeleton connectable={connectable} />
        ) : (
          <NotConnectable state={runState} start={start} failure={failure} />
        )}
      </div>
      <footer className="flex shrink-0 items-center gap-3 border-t px-(--gutter) py-2">
        <SerialConsoleCliCommand {...params} size="sm" ref={footer} />
        <span className="flex-1 text-end text-xs text-tertiary">
          <span className="max-sm:hidden">{status.hasOutput && 'Ctrl+F6 leaves the terminal'}</span>
        </span>
        <StatusBadge status={connectable || status.status === 'open' ? status.status : 'closed'} />
      </footer>
    </div>
  )
}

const BackLink = (params: Params) => (
  <Link
    to="/projects/$project/instances/$instance/storage"
    params={params}
    className="flex min-h-6 min-w-6 shrink-0 items-center gap-1.5 rounded-sm text-secondary hover:text-primary"
  >
    <ArrowLeft size={16} strokeWidth={1.5} aria-hidden />
    {/* On phones, the name of the instance is shown beside the arrow. */}
    <span className="max-sm:sr-only">Back to instance</span>
  </Link>
)

const statusLooks: Record<ConnectionState['status'], { word: string; tone: StateTone }> = {
  open: { word: 'connected', tone: 'works' },
  failed: { word: 'error', tone: 'failed' },
  connecting: { word: 'connecting', tone: 'changing' },
  waiting: { word: 'disconnected', tone: 'attention' },
  reading: { word: 'disconnected', tone: 'attention' },
  closed: { word: 'disconnected', tone: 'attention' },
}

function StatusBadge({ status }: Pick<ConnectionState, 'status'>) {
  const { word, tone } = statusLooks[status]
  return (
    <StateBadge key={status} tone={tone} transitional={status === 'connecting'}>
      {word}
    </StateBadge>
  )
}
