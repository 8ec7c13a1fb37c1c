import { useEffect, useRef, useState } from 'react'
import { Search, X } from 'lucide-react'
import { focusFirstRow } from '../keyboard/rows.ts'
import { useShortcuts } from '../keyboard/use-shortcut.ts'

/** Interval of updates during fast typing, in milliseconds. */
const OFTEN = 80

type SearchFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
}

/**
 * For buttons that disappear after clearing the search. Not on touch screens, where it would
 * open the keyboard.
 */
export function focusSearch(): void {
  if (matchMedia('(pointer: coarse)').matches) return
  document.querySelector<HTMLElement>('.list-search')?.focus()
}

/**
 * `/` focuses the field, Enter and ↓ move on to the first row, Escape clears the text. The
 * first keystroke searches at once.
 */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const reported = useRef(value)
  const toldAt = useRef(-Infinity)
  // Follows changes from elsewhere: a button, or going back.
  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  useShortcuts({ search: () => input.current?.select() })
  const tell = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    const say = () => {
      toldAt.current = performance.now()
      reported.current = next.trim()
      onChange(reported.current)
    }
    const wait = next ? toldAt.current + OFTEN - performance.now() : 0
    if (wait > 0) timer.current = setTimeout(say, wait)
    else say()
  }
  return (
    <div className="relative min-w-0 flex-1 sm:max-w-72 sm:min-w-44">
      <Search
        size={16}
        strokeWidth={1.5}
        aria-hidden
        className="pointer-events-none absolute top-2 start-2.5 text-tertiary"
      />
      <input
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={text}
        maxLength={256}
        autoComplete="off"
        spellCheck={false}
        className="field-control list-search"
        onChange={(event) => tell(event.target.value)}
        onKeyDown={(event) => {
          const { key, nativeEvent } = event
          if (nativeEvent.isComposing) return
          if (key === 'Escape' && text) {
            event.stopPropagation()
            tell('')
          } else if (key === 'Enter' || key === 'ArrowDown') focusFirstRow()
          else return
          event.preventDefault()
        }}
      />
      {text ? (
        <button
          type="button"
          aria-label="Clear search"
          className="focus-inset absolute top-1 end-1 flex size-6 items-center justify-center rounded-sm text-tertiary hover:bg-hover hover:text-primary"
          onClick={() => {
            tell('')
            input.current?.focus()
          }}
        >
          <X size={14} strokeWidth={1.5} aria-hidden />
        </button>
      ) : (
        <kbd
          aria-hidden
          className="pointer-events-none absolute top-1.5 end-1.5 flex h-5 min-w-5 items-center justify-center rounded-sm border px-1 font-sans text-xs text-tertiary max-sm:hidden"
        >
          /
        </kbd>
      )}
    </div>
  )
}
