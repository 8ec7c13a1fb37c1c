import { type ListedKind, TAG_COUNT_MAX, tagProblem } from '@steading/api/rules'
import { type KeyboardEvent, useId, useState } from 'react'
import { cx } from '../../ui/cx.ts'
import { formatNumber } from '../../ui/number.ts'
import { TAGS_SUGGESTED, useTagsInUse } from './tags-in-use.ts'
import { Truncate } from '../../ui/text.tsx'

type TagInputProps = {
  kind: ListedKind
  tags: readonly string[]
  onAdd: (tag: string) => void
  onClose: () => void
}

/** A field for one more tag, with the tags in use. */
export function TagInput({ kind, tags, onAdd, onClose }: TagInputProps) {
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const typed = text.trim().replace('=', ':')
  const options = useTagsInUse(kind, typed)
    .filter(({ tag }) => !tags.includes(tag))
    .slice(0, TAGS_SUGGESTED)
  const add = (tag: string) => {
    const wrong = tag.endsWith(':') ? 'Enter a value after the colon' : tagProblem(tag)
    setProblem(wrong)
    if (wrong) return
    onAdd(tag)
    setText('')
    setAt(undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.nativeEvent.isComposing) return
    if (step && options.length > 0) {
      const next = at === undefined ? Math.min(step, 0) : at + step
      setAt((next + options.length) % options.length)
    } else if (event.key === 'Enter') {
      const chosen = at === undefined ? typed : options[at]?.tag
      if (chosen) add(chosen)
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    } else return
    event.preventDefault()
  }
  return (
    <span className="relative">
      <input
        // eslint-disable-next-line jsx-a11y/no-autofocus -- opened by a button in its place
        autoFocus
        role="combobox"
        aria-label="New tag"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={at === undefined ? undefined : `${id}-${at}`}
        aria-invalid={problem !== undefined}
        aria-describedby={problem && `${id}-problem`}
        placeholder="key:value"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(undefined)
          setProblem(undefined)
        }}
        onKeyDown={onKeyDown}
        onBlur={onClose}
        className="field-control h-7! w-48! text-xs!"
      />
      <span
        id={`${id}-list`}
        role="listbox"
        aria-label="Tags in use"
        className={cx(
          'absolute start-0 top-full z-30 mt-1 max-h-72 w-72 max-w-[80vw] flex-col overflow-y-auto rounded-card border border-line-strong bg-floating p-1 shadow-floating',
          options.length > 0 && problem === undefined ? 'flex' : 'hidden',
        )}
      >
        {options.map(({ tag, count }, index) => (
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the input handles keys
          <span
            key={tag}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={cx(
              'flex cursor-default gap-3 rounded-control px-2 py-1 text-sm',
              index === at && 'bg-hover',
            )}
            onPointerMove={() => setAt(index)}
            // The input keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => add(tag)}
          >
            <Truncate text={tag} className="flex-1" />
            <span className="text-tertiary tabular-nums">
              {count === null ? `${formatNumber(TAG_COUNT_MAX)}+` : formatNumber(count)}
            </span>
          </span>
        ))}
      </span>
      {problem && (
        <span
          id={`${id}-problem`}
          role="alert"
          className="absolute start-0 top-full z-30 mt-1 w-72 max-w-[80vw] rounded-control border border-red-border bg-red-surface px-2 py-1 text-xs text-red-text"
        >
          {problem}
        </span>
      )}
    </span>
  )
}
