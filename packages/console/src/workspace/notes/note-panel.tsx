import { kindLabels } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { StickyNote } from 'lucide-react'
import { useState } from 'react'
import { apiQuery } from '../../data/api.ts'
import { LoadError } from '../../page/load-error.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { SideModal } from '../../ui/side-modal.tsx'
import { DateTime } from '../../ui/time.tsx'
import { Markdown } from './markdown.tsx'
import { NoteEditor } from './note-editor.tsx'
import { authorText, type NoteOf } from './note-text.ts'
import { NoteVersions } from './note-versions.tsx'
import { Truncate } from '../../ui/text.tsx'

/** The note of a resource: read, edited, and compared with its versions. */
export default function NotePanel({ kind, thing, onDismiss }: NoteOf & { onDismiss: () => void }) {
  const at = { path: { kind, thing: thing.id } }
  const { data: note, error, refetch } = useQuery(apiQuery('noteView', at))
  const [chosen, setChosen] = useState<'editor' | 'versions'>()
  if (note && (chosen === 'editor' || (note.version === 0 && note.modifiable))) {
    const leave = () => (note.version === 0 ? onDismiss() : setChosen(undefined))
    return <NoteEditor kind={kind} thing={thing} note={note} onLeave={leave} />
  }
  const subtitle = (
    <>
      <StickyNote size={16} strokeWidth={1.5} aria-hidden />
      <Truncate text={`${capitalized(kindLabels(kind))} ${thing.name}`} />
    </>
  )
  if (note && chosen === 'versions') {
    return (
      <NoteVersions
        kind={kind}
        thing={thing}
        note={note}
        subtitle={subtitle}
        onBack={() => setChosen(undefined)}
        onDismiss={onDismiss}
      />
    )
  }
  return (
    <SideModal
      title="Note"
      subtitle={subtitle}
      onDismiss={onDismiss}
      aside={
        note &&
        note.version > 0 && (
          <Button variant="ghost" onClick={() => setChosen('versions')}>
            Versions
          </Button>
        )
      }
      footer={
        <>
          <Button onClick={onDismiss}>Close</Button>
          {note?.modifiable && (
            <Button variant="primary" onClick={() => setChosen('editor')}>
              Edit
            </Button>
          )}
        </>
      }
    >
      {note?.text ? (
        <>
          <Markdown text={note.text} />
          {note.timeModified && (
            <p className="text-xs text-tertiary">
              {authorText(note.author)}, <DateTime date={note.timeModified} />
            </p>
          )}
        </>
      ) : note ? (
        <EmptyState
          icon={<StickyNote size={20} strokeWidth={1.5} aria-hidden />}
          title="No note"
          body="The note was removed. Its versions are kept."
        />
      ) : error ? (
        <LoadError what="The note" error={error} onRetry={refetch} />
      ) : null}
    </SideModal>
  )
}
