import { deletionIsTyped, type JobResourceKind } from '@steading/api/rules'
import { useId, useState, type ReactNode } from 'react'
import { formatNumber } from '../../ui/number.ts'
import { Strong } from '../../ui/text.tsx'

type Losing = {
  kind: JobResourceKind
  /** Name of a single target. */
  name: string | null
  /** Number of deleted resources that hold data. */
  destroys: number
  /** Whether all of them can be restored. */
  isKept: boolean
}

/**
 * Further deletions that the user may still choose; the field's room is reserved from the
 * beginning.
 */
type Possible = { asks: boolean; mayDestroy: number }

/**
 * Requires typing a word before a large deletion that cannot be undone: the name of the target, or
 * the number of resources.
 */
export function useConfirmWord(
  { kind, name, destroys, isKept }: Losing,
  { asks, mayDestroy }: Possible = { asks: true, mayDestroy: destroys },
): {
  field: ReactNode
  /** Reason why the deletion is not confirmed yet. */
  missing: string | undefined
} {
  const [value, setValue] = useState('')
  const isTyped = asks && !isKept && deletionIsTyped(kind, destroys)
  const mayBeTyped = mayDestroy > destroys && deletionIsTyped(kind, mayDestroy)
  if (!isTyped && !mayBeTyped) return { field: null, missing: undefined }
  const wanted = name ?? String(destroys)
  const typed = name === null ? value.replaceAll(/[\s,.]/g, '') : value.trim()
  return {
    field: (
      <div className={isTyped ? undefined : 'invisible'}>
        <WordField
          wanted={wanted}
          destroys={isTyped ? destroys : mayDestroy}
          value={value}
          onChange={setValue}
        />
      </div>
    ),
    missing: !isTyped || typed === wanted ? undefined : `Type ${wanted} to confirm`,
  }
}

type WordFieldProps = {
  wanted: string
  destroys: number
  value: string
  onChange: (value: string) => void
}

function WordField({ wanted, destroys, value, onChange }: WordFieldProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      {destroys > 1 && (
        <p id={`${id}-lost`} className="text-xs">
          {formatNumber(destroys)} things that hold data will be lost for good.
        </p>
      )}
      <label htmlFor={id}>
        Type <Strong>{wanted}</Strong> to confirm
      </label>
      <input
        id={id}
        aria-describedby={destroys > 1 ? `${id}-lost` : undefined}
        className="field-control"
        value={value}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
