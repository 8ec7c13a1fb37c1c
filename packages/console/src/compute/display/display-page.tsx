import {
  DISPLAY_TYPED_MAX,
  instanceActions,
  instanceCan,
  type InstanceState,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import {
  Camera,
  ClipboardPaste,
  Copy,
  Keyboard,
  Maximize,
  Minimize2,
  Scaling,
  SquareTerminal,
} from 'lucide-react'
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { invalidate, usePrefetchedQuery } from '../../data/api.ts'
import { onConnection } from '../../data/connection.ts'
import { useLiveState } from '../../data/live.ts'
import { LinkButton } from '../../ui/button.tsx'
import { copyText, readClipboard } from '../../ui/clipboard.ts'
import { cx } from '../../ui/cx.ts'
import { saveFile } from '../../ui/save-file.ts'
import { FailureSentences } from '../instances/failure-notice.tsx'
import { instanceQuery, type InstanceParams } from '../instances/queries.ts'
import { useStartInstance } from '../instances/start-instance.tsx'
import { ConsoleFrame, consoleInterval } from '../serial-console/console-frame.tsx'
import {
  ConsoleFailed,
  ConsoleSkeleton,
  NotConnectable,
  Reconnecting,
} from '../serial-console/console-states.tsx'
import { Tool } from '../serial-console/terminal-tools.tsx'
import { DisplayConnection } from './display-connection.ts'
import { displayUrl } from './screen.ts'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const
/** Milliseconds a message over the screen stays visible. */
const REMARK_MS = 2500

export function DisplayPage() {
  const { project, instance } = useParams({ strict: false }) as InstanceParams
  return <Display key={`${project}/${instance}`} project={project} instance={instance} />
}

function useDisplay(params: InstanceParams, state: InstanceState) {
  const [copied, setCopied] = useState<string>()
  const [connection] = useState(
    () =>
      new DisplayConnection({
        url: () => displayUrl(params),
        onLost: () => void invalidate('instanceView'),
        onCopied: setCopied,
      }),
  )
  const connectable = instanceCan('display', state)
  useEffect(() => connection.want(connectable), [connection, connectable])
  useEffect(() => {
    addEventListener('online', connection.retry)
    const stop = onConnection((isLost) => isLost || connection.retry())
    return () => {
      removeEventListener('online', connection.retry)
      stop()
    }
  }, [connection])
  const status = useSyncExternalStore(connection.subscribe, connection.snapshot)
  return { connection, connectable, status, copied }
}

function Display(params: InstanceParams) {
  const query = instanceQuery(params)
  const { data } = usePrefetchedQuery(query)
  const { runState } = data
  const { connection, connectable, status, copied } = useDisplay(params, runState)
  const start = useStartInstance(params.project)(data)
  const live = useLiveState() === 'live'
  const isOpen = status.status === 'open'
  useQuery({ ...query, refetchInterval: consoleInterval(runState, isOpen, live) })
  const leave = useRef<HTMLAnchorElement>(null)
  const screen = useRef<HTMLDivElement>(null)
  return (
    <ConsoleFrame
      params={params}
      tools={
        isOpen && (
          <ScreenTools
            name={params.instance}
            connection={connection}
            copied={copied}
            onFullScreen={() => screen.current!.requestFullscreen()}
          />
        )
      }
      status={connectable || isOpen ? status.status : 'closed'}
      actions={
        <LinkButton
          ref={leave}
          to="/projects/$project/instances/$instance/serial-console"
          params={params}
          size="sm"
          icon={<SquareTerminal {...icon} />}
        >
          Serial console
        </LinkButton>
      }
      hint={isOpen && 'Ctrl+F6 leaves the screen'}
    >
      {connectable && status.hasOutput && !isOpen && (
        <Reconnecting state={status} onRetry={connection.retry} />
      )}
      {connectable || isOpen ? (
        <div className="relative flex min-h-0 flex-1 flex-col">
          <Screen ref={screen} connection={connection} onLeave={() => leave.current?.focus()} />
          {status.status === 'failed' && (
            <div className="absolute inset-0 flex">
              <ConsoleFailed
                title="The screen could not be shown"
                reason={status.reason}
                onRetry={connection.retry}
              />
            </div>
          )}
          {status.status === 'connecting' && !status.hasOutput && (
            <div className="absolute inset-0 flex">
              <ConsoleSkeleton text="Connecting to the screen" />
            </div>
          )}
        </div>
      ) : (
        <NotConnectable
          state={runState}
          start={start}
          failure={<FailureSentences project={params.project} instance={data} />}
          otherwise={`${instanceActions.display.otherwise}.`}
        />
      )}
    </ConsoleFrame>
  )
}

type ScreenProps = {
  ref: React.RefObject<HTMLDivElement | null>
  connection: DisplayConnection
  onLeave: () => void
}

/** The element in which noVNC draws. It gets all keys but one, which leaves it. */
function Screen({ ref, connection, onLeave }: ScreenProps) {
  const leaveId = useId()
  const latest = useRef(onLeave)
  useEffect(() => {
    latest.current = onLeave
  })
  useEffect(() => {
    const target = ref.current!
    const leaveOn = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || !event.ctrlKey) return
      event.preventDefault()
      event.stopPropagation()
      latest.current()
    }
    // Before noVNC, which stops the event.
    target.addEventListener('keydown', leaveOn, { capture: true })
    const detach = connection.attach(target)
    const unsubscribe = connection.subscribe(() => {
      const isOpen = connection.snapshot().status === 'open'
      // Nothing that somebody uses has the focus: the page itself, or its content after a link.
      if (isOpen && document.activeElement?.matches('body, [tabindex="-1"]')) connection.focus()
    })
    return () => {
      unsubscribe()
      detach()
      target.removeEventListener('keydown', leaveOn, { capture: true })
    }
  }, [connection, ref])
  return (
    <>
      <div
        ref={ref}
        role="application"
        aria-label="Screen"
        aria-describedby={leaveId}
        className="min-h-0 flex-1 bg-sunken"
      />
      <span id={leaveId} hidden>
        Press Control F6 to leave the screen
      </span>
    </>
  )
}

type ScreenToolsProps = {
  name: string
  connection: DisplayConnection
  /** The last text that the guest has copied. */
  copied: string | undefined
  onFullScreen: () => Promise<void>
}

function useRemark() {
  const [remark, setRemark] = useState<{ text: string }>()
  useEffect(() => {
    if (!remark) return
    const timer = setTimeout(() => setRemark(undefined), REMARK_MS)
    return () => clearTimeout(timer)
  }, [remark])
  return [remark?.text, (text: string) => setRemark({ text })] as const
}

/** Toolbar of the screen. */
function ScreenTools({ name, connection, copied, onFullScreen }: ScreenToolsProps) {
  const [remark, say] = useRemark()
  const [fits, setFits] = useState(true)
  useEffect(() => connection.fit(fits), [connection, fits])
  const attempt = (work: Promise<unknown>, problem: string) => void work.catch(() => say(problem))
  const type = async () => {
    const text = await readClipboard()
    if (text.length > DISPLAY_TYPED_MAX)
      return say(`At most ${DISPLAY_TYPED_MAX} characters can be typed`)
    await connection.type(text)
  }
  const save = async () => {
    const picture = await connection.picture()
    if (picture) saveFile(`${name}-screen.png`, [picture], picture.type)
  }
  return (
    <div className="flex shrink-0 items-center">
      <output className={cx('text-xs text-secondary', remark && 'me-2')}>{remark}</output>
      <div role="toolbar" aria-label="Screen" className="flex items-center gap-1 max-sm:gap-0">
        <Tool
          label="Send Ctrl+Alt+Del"
          onClick={connection.sendCtrlAltDel}
          icon={<Keyboard {...icon} />}
        />
        <Tool
          label="Type the clipboard"
          onClick={() => attempt(type(), 'The browser does not allow this page to paste')}
          icon={<ClipboardPaste {...icon} />}
        />
        {copied !== undefined && (
          <Tool
            label="Copy the guest’s clipboard"
            onClick={() => void copyText(copied).then((done) => done && say('Copied'))}
            icon={<Copy {...icon} />}
          />
        )}
        <Tool
          label="Download a picture"
          onClick={() => attempt(save(), 'The picture could not be made')}
          icon={<Camera {...icon} />}
        />
        <Tool
          label={fits ? 'Show in its own size' : 'Fit into the page'}
          onClick={() => setFits(!fits)}
          icon={fits ? <Scaling {...icon} /> : <Minimize2 {...icon} />}
        />
        <Tool
          label="Full screen"
          onClick={() => attempt(onFullScreen(), 'The browser does not allow a full screen')}
          icon={<Maximize {...icon} />}
        />
      </div>
    </div>
  )
}
