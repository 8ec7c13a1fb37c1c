import { entityTagOf, type Note } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { apiQuery, call, invalidate, whenReread } from '../../data/api.ts'
import { messageOf } from '../../data/errors.ts'
import { LoadError } from '../../page/load-error.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { SideModal } from '../../ui/side-modal.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { DateTime } from '../../ui/time.tsx'
import { DiffView } from './diff-view.tsx'
import { authorText, type NoteOf } from './note-text.ts'
import { Truncate } from '../../ui/text.tsx'

type NoteVersionsProps = NoteOf & {
  note: Note
  subtitle: ReactNode
  onBack: () => void
  onDismiss: () => void
}

/** The versions of a note, each compared with the present text, and restored. */
export function NoteVersions(props: NoteVersionsProps) {
  const { kind, thing, note, subtitle, onBack, onDismiss } = props
  const path = { kind, thing: thing.id }
  const { data, error, refetch } = useQuery(apiQuery('noteVersionList', { path }))
  const [chosen, setChosen] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const version = useQuery({
    ...apiQuery('noteVersionView', { path: { ...path, version: String(chosen) } }),
    enabled: chosen !== undefined,
    staleTime: Infinity,
  })
  const restore = async (text: string) => {
    try {
      await call('noteReplace', { path, body: { text } }, { ifMatch: entityTagOf(note) })
      await whenReread()
      onBack()
    } catch (refused) {
      setFailure(messageOf(refused))
      void invalidate('noteView', 'noteVersionList')
    }
  }
  const old = version.data
  return (
    <SideModal
      title="Versions of the note"
      subtitle={subtitle}
      onDismiss={onDismiss}
      errors={failure ? [failure] : []}
      aside={
        <Button variant="ghost" onClick={onBack}>
          Back
        </Button>
      }
      footer={
        <>
          <Button onClick={onDismiss}>Close</Button>
          {note.modifiable && (
            <Button
              variant="primary"
              sends
              disabledReason={
                !old ? 'Choose a version first' : old.text === note.text && 'It is the present text'
              }
              onClick={() => old && void restore(old.text)}
            >
              Restore
            </Button>
          )}
        </>
      }
    >
      {data ? (
        <ul aria-label="Versions" className="flex max-h-64 shrink-0 flex-col overflow-y-auto">
          {data.items.map(({ version: number, author, timeModified }) => (
            <li key={number}>
              <button
                type="button"
                aria-pressed={number === chosen}
                className={cx(
                  'focus-inset flex w-full items-center gap-3 rounded-control px-2 py-1.5 text-start hover:bg-hover',
                  number === chosen && 'bg-selected',
                )}
                onClick={() => setChosen(number)}
              >
                <span className="w-8 text-tertiary tabular-nums">{number}</span>
                <Truncate text={authorText(author)} className="flex-1" />
                <DateTime date={timeModified} />
              </button>
            </li>
          ))}
        </ul>
      ) : error ? (
        <LoadError what="The versions" error={error} onRetry={refetch} />
      ) : (
        <SkeletonCell width="w-64" />
      )}
      {old ? (
        <section aria-label={`Version ${old.version}`} className="flex flex-col gap-2">
          <h3 className="font-medium">
            {old.text === note.text
              ? `Version ${old.version}, the present text`
              : `From version ${old.version} to the present text`}
          </h3>
          <DiffView label="Changes since" before={old.text} after={note.text} />
        </section>
      ) : version.error ? (
        <LoadError what="The version" error={version.error} onRetry={version.refetch} />
      ) : (
        <p className="text-tertiary">Choose a version to compare it with the present text.</p>
      )}
    </SideModal>
  )
}
