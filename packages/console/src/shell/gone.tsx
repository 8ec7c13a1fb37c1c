import { kindNames, kindTable } from '@steading/api/rules'
import { useEffect, useReducer } from 'react'
import { Ghost } from 'lucide-react'
import type { GoneError } from '../data/errors.ts'
import { deletionOf, onDeletion } from '../data/live.ts'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Strong } from '../ui/text.tsx'
import { TimeAgo } from '../ui/time.tsx'

/** The kind in an operation's name: `antiAffinityGroupView` → `anti-affinity group`. */
function wordsOf(operation: string): string {
  const read = operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const kind = kindNames.find(
    (name) => read === `${name}_view` || read === `current_user_${name}_view`,
  )
  return kind ? kindTable[kind].words : 'thing'
}

type GoneProps = {
  error: GoneError
  /** The list of its kind. */
  list: { label: string; path: string } | undefined
}

/** Replaces an item that was deleted while on the screen. */
export function Gone({ error, list }: GoneProps) {
  const [, again] = useReducer((count: number) => count + 1, 0)
  // The 404 may precede the event of the deletion.
  useEffect(() => onDeletion((id) => id === error.id && again()), [error])
  const words = wordsOf(error.operation)
  const deletion = error.id === undefined ? undefined : deletionOf(error.id)
  return (
    <div role="alert">
      <EmptyState
        icon={<Ghost size={20} strokeWidth={1.5} aria-hidden className="text-tertiary" />}
        title={deletion ? `This ${words} was deleted` : `This ${words} is no longer there`}
        body={
          deletion ? (
            <>
              {error.thing && <Strong>{error.thing}</Strong>} was deleted{' '}
              <TimeAgo date={deletion.time} caption="Deleted" ago />
              {deletion.by && (
                <>
                  {' '}
                  by <Strong>{deletion.by}</Strong>
                </>
              )}
              .
            </>
          ) : (
            <>
              {error.thing && <Strong>{error.thing}</Strong>} was renamed or deleted, or you no
              longer have access to it.
            </>
          )
        }
        action={
          list && (
            <LinkButton to={list.path as '/'} variant="primary">
              Go to {list.label}
            </LinkButton>
          )
        }
      />
    </div>
  )
}
