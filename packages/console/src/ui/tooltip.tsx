import { useId } from 'react'
import { CircleHelp } from 'lucide-react'

/**
 * One tooltip for the whole page. Elements only carry an attribute, so fifty rows of a table
 * cost nothing. Usage: `<button {...tooltip('Why not')}>`.
 */
export function tooltip(text: string | null | undefined, when?: 'truncated') {
  return text ? { 'data-tooltip': text, 'data-tooltip-when': when } : {}
}

/** A help icon with its text in a tooltip, which is always the button's description. */
export function HelpTip({ children }: { children: string }) {
  const id = useId()
  return (
    <>
      <button
        type="button"
        aria-label="Tip"
        aria-describedby={id}
        data-tooltip-press=""
        className="-m-1 inline-flex size-6 items-center justify-center rounded-full align-[-3px] text-tertiary hover:text-primary"
        {...tooltip(children)}
      >
        <CircleHelp size={14} strokeWidth={1.5} aria-hidden />
      </button>
      <span id={id} hidden>
        {children}
      </span>
    </>
  )
}
