import { entityTagOf, type Note } from '@steading/api/client'
import { NOTE_MAX, noteProblem } from '@steading/api/rules'
import { useId, useState } from 'react'
import { apiQuery, call, readFresh, seed } from '../../data/api.ts'
import { ApiError, messageOf } from '../../data/errors.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Modal, ModalFooter } from '../../ui/modal.tsx'
import { formatNumber } from '../../ui/number.ts'
import { SideModal } from '../../ui/side-modal.tsx'
import { DiffView } from './diff-view.tsx'
import { Markdown } from './markdown.tsx'
import { authorText, type NoteOf } from './note-text.ts'
import { Truncate } from '../../ui/text.tsx'

const PRECONDITION_FAILED = 412

/**
 * The editor of a note. A save is refused if somebody else has changed the note meanwhile; both
 * texts are then shown, and the user decides.
 */
export function NoteEditor({
  kind,
  thing,
  note,
  onLeave,
}: NoteOf & { note: Note; onLeave: () => void }) {
  const id = useId()
  const read = apiQuery('noteView', { path: { kind, thing: thing.id } })
  /** The version that the text is based on; later answers do not replace it. */
  const [base, setBase] = useState(note)
  const [text, setText] = useState(note.text)
  const [theirs, setTheirs] = useState<Note>()
  const [preview, setPreview] = useState(false)
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState<string>()
  const [leaving, setLeaving] = useState(false)
  const dirty = text !== base.text
  const dismiss = () => (dirty ? setLeaving(true) : onLeave())

  const save = async () => {
    setSaving(true)
    setError(undefined)
    try {
      const ifMatch = entityTagOf(base) ?? entityTagOf(await readFresh(read))
      const args = { path: { kind, thing: thing.id }, body: { text } }
      const saved = await call('noteReplace', args, { ifMatch, expected: [PRECONDITION_FAILED] })
      seed('noteView', { path: args.path }, saved)
      onLeave()
    } catch (failure) {
      if (failure instanceof ApiError && failure.statusCode === PRECONDITION_FAILED) {
        setTheirs(await readFresh(read).catch(() => undefined))
        setError(undefined)
      } else setError(messageOf(failure))
    } finally {
      setSaving(false)
    }
  }
  const resolve = (kept: string) => {
    if (!theirs) return
    setBase(theirs)
    setText(kept)
    setTheirs(undefined)
  }
  const problem = noteProblem(text)
  return (
    <>
      <SideModal
        title={note.version === 0 ? 'Add note' : 'Edit note'}
        subtitle={<Truncate text={thing.name} />}
        onDismiss={dismiss}
        errors={error ? [error] : []}
        aside={
          <Button variant="ghost" aria-pressed={preview} onClick={() => setPreview(!preview)}>
            {preview ? 'Write' : 'Preview'}
          </Button>
        }
        footer={
          <>
            <Button onClick={dismiss}>Cancel</Button>
            <Button
              variant="primary"
              sends
              loading={saving}
              disabledReason={problem ?? (theirs ? 'Choose a text first' : undefined)}
              onClick={() => void save()}
            >
              Save
            </Button>
          </>
        }
        notice={
          theirs && (
            <Banner
              variant="notice"
              title={`${authorText(theirs.author)} has changed the note meanwhile`}
            >
              <p className="mb-2">
                Your text is kept. Their changes, against the text you began with:
              </p>
              <DiffView label="Their changes" before={base.text} after={theirs.text} />
              <div className="mt-2 flex gap-2">
                <Button size="sm" onClick={() => resolve(text)}>
                  Keep my text
                </Button>
                <Button size="sm" onClick={() => resolve(theirs.text)}>
                  Take theirs
                </Button>
              </div>
            </Banner>
          )
        }
      >
        {preview ? (
          text.trim() ? (
            <Markdown text={text} />
          ) : (
            <p className="text-tertiary">Nothing to preview</p>
          )
        ) : (
          <div className="flex min-h-64 flex-1 flex-col gap-1.5">
            <label htmlFor={id} className="font-medium">
              Text
            </label>
            <textarea
              id={id}
              value={text}
              aria-invalid={problem !== undefined}
              aria-describedby={`${id}-hint`}
              className="field-control min-h-64 flex-1 resize-none font-mono text-xs!"
              onChange={(event) => setText(event.target.value)}
            />
            <p id={`${id}-hint`} className={problem ? 'text-red-text' : 'text-tertiary'}>
              {problem ?? `Markdown, ${formatNumber(text.length)} of ${formatNumber(NOTE_MAX)}`}
            </p>
          </div>
        )}
      </SideModal>
      {leaving && (
        <Modal
          title="Discard the changes?"
          width="narrow"
          onDismiss={() => setLeaving(false)}
          footer={
            <ModalFooter
              danger
              onDismiss={() => setLeaving(false)}
              cancelText="Keep editing"
              actionText="Discard"
              onAction={onLeave}
            />
          }
        >
          The text of the note was not saved.
        </Modal>
      )}
    </>
  )
}
