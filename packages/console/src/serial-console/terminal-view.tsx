import { useEffect, useId, useRef, useState } from 'react'
import { ArrowDownToLine, ArrowUpToLine } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import type { ConsoleConnection } from './connection.ts'
import { createTerminal, terminalFontLoaded, type ConsoleTerminal } from './create-terminal.ts'

type TerminalViewProps = {
  connection: ConsoleConnection
  onLeave: () => void
}

/** In a file of its own, with xterm, that is fetched while the socket is being opened. */
export default function TerminalView({ connection, onLeave }: TerminalViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const [terminal, setTerminal] = useState<ConsoleTerminal>()
  const leaveId = useId()
  const [copied, setCopied] = useState(0)
  const leave = useRef(onLeave)
  useEffect(() => {
    leave.current = onLeave
  })
  useEffect(() => {
    let made: ConsoleTerminal | undefined
    let gone = false
    void terminalFontLoaded().then(() => {
      if (gone || !place.current) return
      made = createTerminal(place.current, connection, {
        onCopy: () => setCopied(Date.now()),
        onLeave: () => leave.current(),
      })
      made.focus()
      setTerminal(made)
    })
    return () => {
      gone = true
      made?.dispose()
    }
  }, [connection])
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(0), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <div className="relative flex min-h-0 flex-1 py-3 pr-1 pl-(--gutter)">
      <div
        ref={place}
        role="application"
        aria-label="Serial console"
        aria-describedby={leaveId}
        className="min-h-0 min-w-0 flex-1"
      />
      <span id={leaveId} hidden>
        Press Control F6 to leave the terminal
      </span>
      <div className="absolute right-6 bottom-4 z-10 flex flex-col gap-1.5">
        <IconButton
          label="Scroll to top"
          variant="secondary"
          onClick={() => terminal?.scrollToTop()}
          icon={<ArrowUpToLine size={16} strokeWidth={1.5} aria-hidden />}
        />
        <IconButton
          label="Scroll to bottom"
          variant="secondary"
          onClick={() => terminal?.scrollToBottom()}
          icon={<ArrowDownToLine size={16} strokeWidth={1.5} aria-hidden />}
        />
      </div>
      <output className="pointer-events-none absolute inset-x-0 bottom-4 flex justify-center">
        {copied > 0 && (
          <span className="rounded-control bg-inverse px-2.5 py-1 text-xs text-on-inverse shadow-floating">
            Copied
          </span>
        )}
      </output>
    </div>
  )
}
