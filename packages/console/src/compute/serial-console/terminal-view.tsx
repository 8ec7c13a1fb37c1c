import { useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ConsoleConnection } from './connection.ts'
import {
  createTerminal,
  terminalFontLoaded,
  type ConsoleTerminal,
  type TerminalEvents,
} from './create-terminal.ts'
import { FindBar } from './find-bar.tsx'
import type { Found } from './find.ts'
import { TerminalTools } from './terminal-tools.tsx'

/** Milliseconds a message over the terminal stays visible. */
const REMARK_MS = 1500
const nothingFound: Found = { count: 0, index: -1 }

type TerminalViewProps = {
  connection: ConsoleConnection
  /** The container of the toolbar. */
  tools: HTMLElement | null
  onDownload: () => Promise<void>
  onLeave: () => void
}

/** Creates the terminal once its font is loaded, and anew for each connection. */
function useTerminal(connection: ConsoleConnection, events: TerminalEvents) {
  const place = useRef<HTMLDivElement>(null)
  const [terminal, setTerminal] = useState<ConsoleTerminal>()
  const latest = useRef(events)
  useEffect(() => {
    latest.current = events
  })
  useEffect(() => {
    let made: ConsoleTerminal | undefined
    let gone = false
    const isOpen = () => connection.snapshot().status === 'open'
    // The start button, which had the focus, is gone by now.
    const unsubscribe = connection.subscribe(() => {
      if (isOpen() && document.activeElement === document.body) made?.focus()
    })
    void terminalFontLoaded().then(() => {
      if (gone || !place.current) return
      made = createTerminal(place.current, connection, {
        onCopy: () => latest.current.onCopy(),
        onSelect: (selected) => latest.current.onSelect(selected),
        onFind: () => latest.current.onFind(),
        onFound: (found) => latest.current.onFound(found),
        onLeave: () => latest.current.onLeave(),
      })
      if (isOpen()) made.focus()
      setTerminal(made)
    })
    return () => {
      gone = true
      unsubscribe()
      made?.dispose()
    }
  }, [connection])
  return { place, terminal }
}

/** The terminal. Its chunk, with xterm, is fetched while the socket opens. */
export default function TerminalView({
  connection,
  tools,
  onDownload,
  onLeave,
}: TerminalViewProps) {
  const leaveId = useId()
  const [remark, setRemark] = useState<{ text: string }>()
  const [selected, setSelected] = useState(false)
  const [found, setFound] = useState(nothingFound)
  const [finding, setFinding] = useState(false)
  const findInput = useRef<HTMLInputElement>(null)
  const find = () => {
    setFinding(true)
    findInput.current?.select()
  }
  const { place, terminal } = useTerminal(connection, {
    onCopy: () => setRemark({ text: 'Copied' }),
    onSelect: setSelected,
    onFind: find,
    onFound: setFound,
    onLeave,
  })
  useEffect(() => {
    if (!remark) return
    const timer = setTimeout(() => setRemark(undefined), REMARK_MS)
    return () => clearTimeout(timer)
  }, [remark])
  return (
    <div className="relative flex min-h-0 flex-1 py-3 pr-1 pl-(--gutter)">
      <div
        ref={place}
        role="application"
        aria-label="Serial console"
        aria-describedby={leaveId}
        className="min-h-0 min-w-0 flex-1 font-mono"
      />
      <span id={leaveId} hidden>
        Press Control F6 to leave the terminal
      </span>
      {terminal && finding && (
        <FindBar
          finder={terminal.finder}
          found={found}
          input={findInput}
          onClose={() => {
            setFinding(false)
            terminal.focus()
          }}
        />
      )}
      {terminal &&
        tools &&
        createPortal(
          <TerminalTools
            terminal={terminal}
            selected={selected}
            onFind={find}
            onDownload={onDownload}
            onProblem={(text) => setRemark({ text })}
          />,
          tools,
        )}
      <output className="pointer-events-none absolute inset-x-0 bottom-4 flex justify-center">
        {remark && (
          <span className="rounded-control bg-inverse px-2.5 py-1 text-xs text-on-inverse shadow-floating">
            {remark.text}
          </span>
        )}
      </output>
    </div>
  )
}
