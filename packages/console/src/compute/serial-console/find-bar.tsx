import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react'
import { CaseSensitive, ChevronDown, ChevronUp, X } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { formatNumber } from '../../ui/number.ts'
import { asksToFind, MATCH_LIMIT, type Finder, type Found } from './find.ts'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

function foundText({ count, index }: Found): string {
  if (count === 0) return 'No matches'
  if (count >= MATCH_LIMIT) return `${formatNumber(MATCH_LIMIT)}+ matches`
  return `${index + 1} of ${count}`
}

type FindBarProps = {
  finder: Finder
  found: Found
  input: RefObject<HTMLInputElement | null>
  onClose: () => void
}

/** Search bar for the output, newest match first. */
export function FindBar({ finder, found, input, onClose }: FindBarProps) {
  const [text, setText] = useState('')
  const [matchCase, setMatchCase] = useState(false)
  useEffect(() => input.current?.select(), [input])
  useEffect(() => finder.search({ text, matchCase }), [finder, text, matchCase])
  useEffect(() => () => finder.clear(), [finder])
  const none = text !== '' && found.count === 0
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    closeOnEscape(event)
    if (asksToFind(event.nativeEvent)) {
      event.preventDefault()
      input.current?.select()
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (event.shiftKey) finder.next()
    else finder.previous()
  }
  const button = { size: 'sm', onKeyDown: closeOnEscape } as const
  return (
    <div
      role="search"
      aria-label="Find in scrollback"
      className="absolute top-2 end-6 start-auto z-20 flex max-w-[calc(100%-2rem)] items-center gap-1 rounded-card border border-line-strong bg-floating p-1.5 shadow-floating max-sm:end-4"
    >
      <input
        ref={input}
        type="text"
        aria-label="Find"
        aria-invalid={none || undefined}
        placeholder="Find"
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="field-control h-7 w-44 min-w-0 flex-1 font-mono text-xs"
      />
      <output
        className={cx(
          'min-w-18 px-1.5 text-center text-xs tabular-nums',
          none ? 'text-red-text' : 'text-secondary',
        )}
      >
        {text && foundText(found)}
      </output>
      <IconButton
        label="Match case"
        {...button}
        aria-pressed={matchCase}
        className="aria-pressed:bg-accent-surface aria-pressed:text-accent-text"
        onClick={() => setMatchCase(!matchCase)}
        icon={<CaseSensitive {...icon} />}
      />
      <IconButton
        label="Previous match"
        {...button}
        aria-keyshortcuts="Enter"
        onClick={finder.previous}
        icon={<ChevronUp {...icon} />}
      />
      <IconButton
        label="Next match"
        {...button}
        aria-keyshortcuts="Shift+Enter"
        onClick={finder.next}
        icon={<ChevronDown {...icon} />}
      />
      <IconButton {...button} label="Close" onClick={onClose} icon={<X {...icon} />} />
    </div>
  )
}
