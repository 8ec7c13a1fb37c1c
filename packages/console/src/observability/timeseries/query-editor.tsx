import {
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
} from 'react'
import { maskVariables } from '@steading/oxql/syntax'
import { cx } from '../../ui/cx.ts'
import { useFieldValues } from './field-values.ts'
import { type Problem, queryProblem, syntaxProblem } from './problem.ts'
import type { QueryScope } from './explorer-link.ts'
import { QueryText } from './query-text.tsx'
import type { Schema } from './schemas.ts'
import { matching, type Suggestion, type Suggestions, suggestionsAt } from './suggestions.ts'

type QueryEditorProps = {
  id?: string
  label?: string
  value: string
  onChange: (value: string) => void
  /** The available metrics, and the only ones that completion offers. */
  schemas: readonly Schema[]
  /** Scope of the completed values. */
  scope: QueryScope
  /** The control plane's error, or the form's validation message. */
  error?: string
  /** Variables allowed as values: `instance` for `$instance`. */
  variables?: readonly string[]
  /** Control or Command with Enter. */
  onSubmit?: () => void
  describedBy?: string
  placeholder?: string
  /** Content below the text, inside of the frame. */
  footer?: ReactNode
}

/** Trigger of the suggestions: without a request, only useful ones are shown. */
type Open = 'asked' | 'typed' | undefined

/** After these characters, suggestions open before any input. */
const opening = /[\s"'[(,]$/

/** The suggestions in display order: looked up values first. */
function shownOf({ options, typed, values }: Suggestions, found: readonly Suggestion[]) {
  return values ? [...matching(found, typed), ...options] : options
}

const isComplete = (options: readonly Suggestion[], typed: string) =>
  options.length === 1 && options[0]!.text.trim() === typed.trim()

/**
 * Editor for OxQL queries with syntax colours, completion at the cursor, and underlined errors.
 * Keys: Control with Space opens the suggestions, arrows choose, Enter or Tab accepts, Escape
 * closes.
 */
export function QueryEditor(props: QueryEditorProps) {
  const { label, value, onChange, schemas, scope, error, onSubmit } = props
  const { describedBy, placeholder, footer, variables = [] } = props
  const ownId = useId()
  const id = props.id ?? ownId
  const input = useRef<HTMLTextAreaElement>(null)
  const marker = useRef<HTMLSpanElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [cursor, setCursor] = useState(value.length)
  const [focused, setFocused] = useState(false)
  const [open, setOpen] = useState<Open>()
  const [active, setActive] = useState(0)
  /** The next change comes from an accepted suggestion. */
  const taking = useRef(false)

  const at = Math.min(cursor, value.length)
  const parsed = maskVariables(value, variables)
  const suggestions = open && suggestionsAt(parsed, at, schemas)
  const found = useFieldValues(scope, suggestions?.values)
  const all = suggestions ? shownOf(suggestions, found.options) : []
  const shown = suggestions && isComplete(all, suggestions.typed) ? [] : all
  const looksUp = Boolean(suggestions?.values && found.loading)
  const isOpen = Boolean(suggestions) && (shown.length > 0 || looksUp || open === 'asked')
  const chosen = Math.min(active, shown.length - 1)

  const syntax = syntaxProblem(parsed)
  // Unfinished input is not an error yet.
  const isTyping = focused && syntax?.place && at >= syntax.place.start
  const empty = value.trim() === ''
  const problem: Problem | undefined = error
    ? syntax?.place && !empty
      ? syntax
      : queryProblem(value, error)
    : isTyping || empty
      ? undefined
      : syntax

  const take = (one: Suggestion) => {
    if (!suggestions) return
    input.current!.setSelectionRange(suggestions.start, suggestions.end)
    taking.current = true
    // Inserted like typed text, so that it can be undone.
    document.execCommand('insertText', false, one.text)
    taking.current = false
  }
  const change = (text: string, offset: number) => {
    onChange(text)
    setCursor(offset)
    setActive(0)
    const before = text.slice(0, offset)
    // Suggestions continue after a word that needs another one.
    if (taking.current) setOpen(opening.test(before) ? 'typed' : undefined)
    else if (open !== 'asked') {
      const begun = /\w$/.test(before) || opening.test(before)
      setOpen(begun && (open || text.length > value.length) ? 'typed' : undefined)
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key } = event
    const command = event.ctrlKey || event.metaKey
    if (command && key === 'Enter') {
      setOpen(undefined)
      onSubmit?.()
    } else if (event.ctrlKey && (key === ' ' || event.code === 'Space')) {
      setOpen('asked')
      setActive(0)
    } else if (!isOpen || command || event.altKey) return
    else if (key === 'Escape') {
      setOpen(undefined)
      // Keeps the dialog around the editor open.
      event.stopPropagation()
    } else if (shown.length === 0) return
    else if (key === 'ArrowDown') setActive((chosen + 1) % shown.length)
    else if (key === 'ArrowUp') setActive((chosen - 1 + shown.length) % shown.length)
    else if ((key === 'Enter' || key === 'Tab') && !event.shiftKey) take(shown[chosen]!)
    else return
    event.preventDefault()
  }
  const follow = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
    const { selectionStart } = currentTarget
    if (selectionStart === cursor) return
    setCursor(selectionStart)
    // The cursor was moved elsewhere.
    if (open && Math.abs(selectionStart - cursor) > 1) setOpen(undefined)
  }
  const listId = `${id}-suggestions`
  const optionId = (index: number) => `${listId}-${index}`
  return (
    <div ref={frame} className="relative min-w-0">
      <div
        className={cx('field-control p-0!', problem && 'border-red-text!')}
        data-invalid={problem ? true : undefined}
      >
        <div className="relative font-mono text-sm">
          <pre
            aria-hidden
            className="pointer-events-none min-h-19 px-2.5 py-2 font-mono break-words whitespace-pre-wrap forced-colors:invisible"
          >
            <QueryText
              text={value}
              parsed={parsed}
              wrong={problem?.place}
              mark={{
                at: suggestions ? Math.min(suggestions.start, value.length) : at,
                node: <span ref={marker} />,
              }}
            />
            {/* Gives an empty last line its height. */}
            {'\n'}
          </pre>
          <textarea
            ref={input}
            id={id}
            aria-label={label ?? (props.id ? undefined : 'OxQL query')}
            aria-multiline
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen && shown.length > 0 ? optionId(chosen) : undefined}
            aria-invalid={problem ? true : undefined}
            aria-describedby={cx(describedBy, problem && `${id}-problem`) || undefined}
            value={value}
            placeholder={placeholder}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            autoCorrect="off"
            className="absolute inset-0 size-full resize-none overflow-hidden bg-transparent px-2.5 py-2 font-mono break-words whitespace-pre-wrap text-transparent caret-(--text-primary) outline-none placeholder:text-tertiary forced-colors:text-[FieldText]"
            onChange={({ target }) => change(target.value, target.selectionStart)}
            onSelect={follow}
            onKeyDown={onKeyDown}
            onFocus={() => setFocused(true)}
            onBlur={() => {
              setFocused(false)
              setOpen(undefined)
            }}
          />
        </div>
        {footer}
      </div>
      {isOpen && (
        <SuggestionList
          id={listId}
          optionId={optionId}
          options={shown}
          active={chosen}
          note={
            looksUp
              ? 'Values are looked up…'
              : suggestions?.values && found.error
                ? 'Values could not be looked up'
                : shown.length === 0
                  ? 'No suggestions'
                  : undefined
          }
          marker={marker}
          frame={frame}
          onTake={take}
        />
      )}
      <p
        id={`${id}-problem`}
        aria-live="polite"
        className="mt-1.5 text-xs text-red-text empty:hidden"
      >
        {problem?.message}
      </p>
    </div>
  )
}

type SuggestionListProps = {
  id: string
  optionId: (index: number) => string
  options: readonly Suggestion[]
  active: number
  note: string | undefined
  marker: RefObject<HTMLElement | null>
  frame: RefObject<HTMLElement | null>
  onTake: (one: Suggestion) => void
}

const WIDTH = 440

/** The focus stays in the field, which refers to the active option. */
function SuggestionList(props: SuggestionListProps) {
  const { id, optionId, options, active, note, marker, frame, onTake } = props
  const popup = useRef<HTMLDivElement>(null)
  // Both depend on the input, so this runs on each render.
  useLayoutEffect(() => {
    const { left, bottom } = marker.current!.getBoundingClientRect()
    const edges = frame.current!.getBoundingClientRect()
    popup.current!.style.top = `${bottom - edges.top + 4}px`
    popup.current!.style.left = `max(0px, min(${left - edges.left}px, 100% - ${WIDTH}px))`
    popup.current!.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  return (
    <div
      ref={popup}
      role="presentation"
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      className="absolute z-50 rounded-card border border-line-strong bg-floating p-1 shadow-floating"
      style={{ width: `min(${WIDTH}px, 100%)` }}
    >
      <div id={id} role="listbox" aria-label="Suggestions" className="max-h-60 overflow-y-auto">
        {options.map(({ label, text, detail }, index) => (
          // The field has the keys for this.
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={text}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => onTake(options[index]!)}
            className="flex min-h-7 cursor-default items-baseline gap-3 rounded-sm px-2 py-1 hover:bg-hover aria-selected:bg-selected forced-colors:aria-selected:outline-2"
          >
            <span className="shrink-0 font-mono text-xs break-all">{label}</span>
            {detail && (
              <span className="min-w-0 flex-1 truncate text-xs text-tertiary">{detail}</span>
            )}
          </div>
        ))}
      </div>
      <p role="status" className="px-2 py-1 text-xs text-tertiary empty:hidden">
        {note}
      </p>
    </div>
  )
}
