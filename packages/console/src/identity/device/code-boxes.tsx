import { USER_CODE_LENGTH } from '@steading/api/rules'
import { Fragment, useEffect, useRef, type ChangeEvent, type KeyboardEvent } from 'react'

/** The letters in a text, in capitals. */
export const lettersIn = (text: string): string => text.replace(/[^a-z]/gi, '').toUpperCase()

/**
 * The boxes after pasting. A whole code replaces their contents; fewer letters fill the empty
 * boxes, from the left.
 */
export function pastedInto(boxes: readonly string[], text: string): string[] {
  const letters = [...lettersIn(text)]
  if (letters.length >= boxes.length) return letters.slice(0, boxes.length)
  return boxes.map((letter) => letter || (letters.shift() ?? ''))
}

type CodeBoxesProps = {
  /** One letter or an empty text per box. */
  letters: readonly string[]
  onChange: (letters: string[]) => void
  /** Id of the error message, if the code is invalid. */
  errorId?: string
}

/** A box for each letter of a code, with a dash in the middle. */
export function CodeBoxes({ letters, onChange, errorId }: CodeBoxesProps) {
  const boxes = useRef<(HTMLInputElement | null)[]>([])
  const focus = (index: number) => boxes.current[index]?.focus()
  useEffect(() => boxes.current[0]?.focus(), [boxes])

  const type = (index: number, { target }: ChangeEvent<HTMLInputElement>) => {
    const typed = lettersIn(target.value)
    // Input other than letters is discarded.
    if (!typed && target.value) return
    onChange(letters.with(index, typed.slice(-1)))
    if (typed) focus(index + 1)
  }
  const press = (index: number, event: KeyboardEvent) => {
    if (event.key === 'Backspace' && !letters[index] && index > 0) {
      event.preventDefault()
      onChange(letters.with(index - 1, ''))
      focus(index - 1)
    }
    if (event.key === 'ArrowLeft') {
      event.preventDefault()
      focus(index - 1)
    }
    if (event.key === 'ArrowRight') {
      event.preventDefault()
      focus(index + 1)
    }
  }
  const paste = (text: string) => {
    const filled = pastedInto(letters, text)
    onChange(filled)
    const empty = filled.indexOf('')
    focus(empty < 0 ? USER_CODE_LENGTH - 1 : empty)
  }
  return (
    <div role="group" aria-label="Code" className="flex items-center justify-center gap-1.5">
      {letters.map((letter, index) => (
        <Fragment key={index}>
          {index === USER_CODE_LENGTH / 2 && (
            <span aria-hidden className="h-0.5 w-2.5 rounded-full bg-line-strong" />
          )}
          <input
            ref={(box) => void (boxes.current[index] = box)}
            aria-label={`Character ${index + 1}.`}
            aria-invalid={errorId ? true : undefined}
            aria-describedby={errorId}
            value={letter}
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            onChange={(event) => type(index, event)}
            onKeyDown={(event) => press(index, event)}
            onFocus={(event) => event.target.select()}
            onPaste={(event) => {
              event.preventDefault()
              paste(event.clipboardData.getData('text'))
            }}
            className="field-control h-11! w-9! px-0! text-center font-mono text-base! uppercase max-sm:w-8!"
          />
        </Fragment>
      ))}
    </div>
  )
}
