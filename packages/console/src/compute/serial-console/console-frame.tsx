import { type InstanceState, instanceIsTransitioning } from '@steading/api/rules'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { Truncate } from '../../ui/text.tsx'
import type { InstanceParams } from '../instances/queries.ts'
import type { ConnectionState } from './connection.ts'
import { consoleComes } from './console-states.tsx'

type ConsoleFrameProps = {
  params: InstanceParams
  /** At the right of the header. */
  tools: ReactNode
  status: ConnectionState['status']
  /** Buttons of the footer. */
  actions: ReactNode
  /** How to leave the console by the keyboard. */
  hint: ReactNode
  children: ReactNode
}

/** The page of a console, over the whole height. */
export function ConsoleFrame({
  params,
  tools,
  status,
  actions,
  hint,
  children,
}: ConsoleFrameProps) {
  return (
    <div className="flex h-[calc(100dvh-var(--shell-top))] min-h-64 flex-col overflow-hidden">
      <header className="flex min-h-13 shrink-0 items-center gap-4 border-b px-(--gutter) max-sm:gap-2 py-2.5">
        <BackLink {...params} />
        <h1 className="ms-auto min-w-0 font-medium text-secondary max-sm:ms-0 max-sm:flex-1">
          <Truncate text={params.instance} />
        </h1>
        {tools}
      </header>
      <div className="flex min-h-0 flex-1 flex-col">{children}</div>
      <footer className="flex shrink-0 items-center gap-3 border-t px-(--gutter) py-2">
        {actions}
        <span className="flex-1 text-end text-xs text-tertiary">
          <span className="max-sm:hidden">{hint}</span>
        </span>
        <StatusBadge status={status} />
      </footer>
    </div>
  )
}

/** The polling interval of the instance of a console, in milliseconds. */
export function consoleInterval(
  state: InstanceState,
  connected: boolean,
  live: boolean,
): number | false {
  if (consoleComes[state]) return 1000
  if (connected || live) return false
  return instanceIsTransitioning(state) ? 2000 : 5000
}

const BackLink = (params: InstanceParams) => (
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
