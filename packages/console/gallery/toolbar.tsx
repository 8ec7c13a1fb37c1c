import { useId } from 'react'

type LookChoiceProps = {
  label: string
  values: readonly string[]
  value: string
  onChoose: (value: string) => void
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** Directions are abbreviations. */
const shown = (value: string) => (value.length === 3 ? value.toUpperCase() : capitalized(value))

/** One choice of the toolbar. */
export function LookChoice({ label, values, value, onChoose }: LookChoiceProps) {
  const id = useId()
  return (
    <div role="radiogroup" aria-labelledby={id} className="flex flex-col gap-1">
      <span id={id} className="text-xs text-tertiary">
        {label}
      </span>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {values.map((each) => (
          <label key={each} className="flex h-6 items-center gap-2">
            <input
              type="radio"
              className="radio"
              name={id}
              checked={each === value}
              onChange={() => onChoose(each)}
            />
            {shown(each)}
          </label>
        ))}
      </div>
    </div>
  )
}
