import { useState, type ReactNode } from 'react'
import { Plus, RotateCw, TriangleAlert, type LucideIcon } from 'lucide-react'
import { keptEnd } from '../cut.tsx'
import { Spinner } from '../spinner.tsx'
import { Truncate } from '../text.tsx'

export type Option = {
  value: string
  /** Text of the closed control, also used for filtering. */
  label: string
  /** Text for filtering, if it differs from the label. */
  found?: string
  /** Content of the list item, if it differs from the label. */
  content?: ReactNode
}

/** Reason of a failed load, and the retry. */
export type LoadFailure = { message: string; retry: () => Promise<unknown> }

/** The options of a field and their loading state. */
export type Choices = {
  options: Option[]
  loading?: boolean
  failure?: LoadFailure
  /** The user's roles do not permit reading all of them. */
  refused?: boolean
}

export type ChoicesProps = Choices & {
  /** Text of an empty list. */
  empty?: string
  /** Action offered for an empty list. */
  whenEmpty?: { label: string; onAction: () => void }
}

/** A long name in a list stays on its line; another label may have several. */
export const optionContent = ({ label, content }: Option): ReactNode =>
  content ?? (keptEnd(label) ? <Truncate text={label} /> : label)

export const optionsFrameClass =
  'max-h-(--available-height) w-(--trigger-width)! animate-[fade-in_100ms_ease-out]'
export const optionClass =
  'flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 py-1 outline-none data-focused:bg-hover'

const LOADING = 'Loading…'
const FAILED = 'Could not be loaded'
const REFUSED = 'Not shown without a role on the silo'

/** Value of the action row in an otherwise empty list; no option has it. */
const ACT = '\0act'

/** Placeholder of an open list without options. */
export const noOptions = (loading: boolean | undefined, text: string) => (
  <div className="px-2 py-1.5 text-tertiary">{loading ? LOADING : text}</div>
)

type ActRowProps = { icon: LucideIcon; label: string; children: ReactNode }

const ActRow = ({ icon: Icon, label, children }: ActRowProps) => (
  <span className="block py-0.5">
    <span className="block wrap-anywhere text-secondary">{children}</span>
    <span className="mt-1 flex items-center gap-1.5 font-medium text-accent-text">
      <Icon size={14} strokeWidth={1.5} aria-hidden /> {label}
    </span>
  </span>
)

/**
 * The options of a list, or a row with the reason why some or all are missing and a remedy.
 * This row is itself an option, so that arrow keys and Enter reach it in every kind of list.
 */
export function useChoices(props: ChoicesProps) {
  const { options, loading = false, failure, refused, empty, whenEmpty } = props
  const [attempt, setAttempt] = useState<'none' | 'under way' | 'answered'>('none')
  // A query resolves for its caller before notifying its observers. In between, the options
  // still count as loading; otherwise the row would disappear for a moment together with the
  // focus.
  const trying = attempt === 'under way' || (attempt === 'answered' && loading)
  const none = options.length === 0
  let row: Option | undefined
  if (trying) {
    // Keeps one row across retries, so that the focus survives.
    const content = (
      <span className="flex items-center gap-2 text-tertiary">
        <Spinner /> {LOADING}
      </span>
    )
    row = { value: ACT, label: LOADING, content }
  } else if (failure) {
    const content = (
      <ActRow icon={RotateCw} label="Try again">
        {none ? FAILED : 'Some could not be loaded'}: {failure.message}
      </ActRow>
    )
    row = { value: ACT, label: 'Try again', content }
  } else if (none && whenEmpty && !loading && !refused) {
    const { label } = whenEmpty
    const content = (
      <ActRow icon={Plus} label={label}>
        {empty}
      </ActRow>
    )
    row = { value: ACT, label, content }
  }
  const retry = async () => {
    if (trying || !failure) return
    setAttempt('under way')
    await failure.retry().catch(() => {})
    setAttempt('answered')
  }
  return {
    row,
    /** The list stays open during the row's retry. */
    staysOpen: trying || failure !== undefined,
    loading: none && (loading || trying),
    failed: failure !== undefined && !trying,
    /** Replaces the placeholder of the closed field. */
    placeholder: none
      ? trying || loading
        ? LOADING
        : failure
          ? FAILED
          : refused
            ? REFUSED
            : undefined
      : undefined,
    /** @returns whether the key was the action row's, which then has run */
    act(key: string): boolean {
      if (key !== ACT) return false
      if (failure || trying) void retry()
      else whenEmpty?.onAction()
      return true
    },
  }
}

type FieldSignProps = { loading?: boolean; failed: boolean; children: ReactNode }

/** Icon at the end of a field: loading, failed or opening the list. */
export function FieldSign({ loading, failed, children }: FieldSignProps) {
  if (loading) return <Spinner />
  if (!failed) return children
  return <TriangleAlert size={16} strokeWidth={1.5} aria-hidden className="text-amber-text" />
}
