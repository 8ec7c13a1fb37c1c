import { instanceActions, instanceCan, type InstanceState } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Monitor } from 'lucide-react'
import { apiQuery, invalidate, usePrefetchedQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { onConnection } from '../../data/connection.ts'
import { useLiveState } from '../../data/live.ts'
import { FailureSentences } from '../instances/failure-notice.tsx'
import { useStartInstance } from '../instances/start-instance.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { saveFile } from '../../ui/save-file.ts'
import { LinkButton } from '../../ui/button.tsx'
import { SerialConsoleCliCommand } from './cli-command.tsx'
import { ConsoleConnection } from './connection.ts'
import { ConsoleFrame, consoleInterval } from './console-frame.tsx'
import {
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
  const hasScreen = useCapability('display')
  const start = useStartInstance(params.project)(data)
  const failure = <FailureSentences project={params.project} instance={data} />
  const live = useLiveState() === 'live'
  useQuery({ ...query, refetchInterval: consoleInterval(runState, status.status === 'open', live) })
  const footer = useRef<HTMLButtonElement>(null)
  const [tools, setTools] = useState<HTMLElement | null>(null)
  return (
    <ConsoleFrame
      params={params}
      tools={<div ref={setTools} className="flex empty:hidden" />}
      status={connectable || status.status === 'open' ? status.status : 'closed'}
      actions={
        <>
          <SerialConsoleCliCommand {...params} size="sm" ref={footer} />
          {hasScreen && (
            <LinkButton
              to="/projects/$project/instances/$instance/display"
              params={params}
              size="sm"
              icon={<Monitor size={16} strokeWidth={1.5} aria-hidden />}
            >
              Screen
            </LinkButton>
          )}
        </>
      }
      hint={status.hasOutput && 'Ctrl+F6 leaves the terminal'}
    >
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
          <Suspense fallback={<ConsoleSkeleton text="Connecting to serial console" />}>
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
          title={connectable ? 'Serial console connection failed' : 'The log could not be read'}
          reason={status.reason}
          onRetry={connection.retry}
        />
      ) : connectable || status.status === 'reading' ? (
        <ConsoleSkeleton text={connectable ? 'Connecting to serial console' : 'Reading the log'} />
      ) : (
        <NotConnectable
          state={runState}
          start={start}
          failure={failure}
          otherwise={instanceActions.serialConsole.otherwise}
        />
      )}
    </ConsoleFrame>
  )
}
