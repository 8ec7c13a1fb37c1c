import { useState, type ReactNode } from 'react'
import { Plus, RotateCw, TriangleAlert, type LucideIcon } from 'lucide-react'
import { Spinner } from '../spinner.tsx'

export type Option = {
  value: string
  /** Text for the closed control, and for filtering. */
  label: string
  /** Text for filtering, if that is more than the label. */
  found?: string
  /** What the list shows, if more than the label. */
  content?: ReactNode
}

/** Why something could not be loaded, and another try. */
export type LoadFailure = { message: string; retry: () => Promise<unknown> }

/** What a field offers, also while that is not known. */
export type Choices = {
  options: Option[]
  loading?: boolean
  failure?: LoadFailure
  /** The user's roles do not permit to read all of them. */
  refused?: boolean
}

export type ChoicesProps = Choices & {
  /** The text if there is nothing to choose. */
  empty?: string
  /** What the user can do about that. */
  whenEmpty?: { label: string; onAction: () => void }
}

export const optionsFrameClass =
  'max-h-(--available-height) w-(--trigger-width)! animate-[fade-in_100ms_ease-out]'
export const optionClass =
  'flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 py-1 outline-none data-focused:bg-hover'

const LOADING = 'Loading…'
const FAILED = 'Could not be loaded'
const REFUSED = 'Not shown without a role on the silo'

/** No value of an option: the row in an otherwise empty list that does something. */
const ACT = '\0act'

/** What an open list says if it has no options to show. */
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
 * The options of a list, or a row that says why there are none, or not all, and what can be done.
 * That row is an option itself, so that arrow keys and Enter reach it in every kind of list.
 */
export function useChoices(props: ChoicesProps) {
  const { options, loading = false, failure, refused, empty, whenEmpty } = props
  const [attempt, setAttempt] = useState<'none' | 'under way' | 'answered'>('none')
  // A query answers its caller before it tells its observers. Between the two the options still
  // count as loading, and without this the row would go for a moment, and the focus with it.
  const trying = attempt === 'under way' || (attempt === 'answered' && loading)
  const none = options.length === 0
  let row: Option | undefined
  if (trying) {
    // It stays the same row, so that the focus has a place while the next answer is awaited.
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
    /** The list stays open while its row tries again. */
    staysOpen: trying || failure !== undefined,
    loading: none && (loading || trying),
    failed: failure !== undefined && !trying,
    /** What the closed field says in place of its placeholder. */
    placeholder: none
      ? trying || loading
        ? LOADING
        : failure
          ? FAILED
          : refused
            ? REFUSED
            : undefined
      : undefined,
    /** @returns whether a chosen key was the row's, whose work is done then */
    act(key: string): boolean {
      if (key !== ACT) return false
      if (failure || trying) void retry()
      else whenEmpty?.onAction()
      return true
    },
  }
}

type FieldSignProps = { loading?: boolean; failed: boolean; children: ReactNode }

/** At the end of a field: that its options load, that they could not be loaded, or that it opens. */
export function FieldSign({ loading, failed, children }: FieldSignProps) {
  if (loading) return <Spinner />
  if (!failed) return children
  return <TriangleAlert size={16} strokeWidth={1.5} aria-hidden className="text-amber-text" />
}
