import { useQuery } from '@tanstack/react-query'
import { StickyNote } from 'lucide-react'
import { useState } from 'react'
import { apiQuery } from '../../data/api.ts'
import { OptionalValue } from '../../page/query-error.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { firstLine, type NoteOf } from './note-text.ts'

const NotePanel = lazyPart(() => import('./note-panel.tsx'))

/** The beginning of a resource's note; a press shows all of it in a panel. */
export function NoteCard({ kind, thing }: NoteOf) {
  const [open, setOpen] = useState(false)
  const at = { path: { kind, thing: thing.id } }
  const read = useQuery({ ...apiQuery('noteView', at), throwOnError: false })
  const close = () => setOpen(false)
  const icon = <StickyNote size={14} strokeWidth={1.5} aria-hidden />
  return (
    <>
      <OptionalValue by={read}>
        {({ text, modifiable }) =>
          text ? (
            <button
              type="button"
              aria-label={`Note: ${firstLine(text)}`}
              className="flex h-7 max-w-96 min-w-0 items-center gap-2 rounded-card border bg-raised px-2.5 text-sm text-secondary hover:bg-hover hover:text-primary [&>svg]:shrink-0 [&>svg]:text-tertiary"
              onClick={() => setOpen(true)}
            >
              {icon}
              <span className="truncate">{firstLine(text)}</span>
            </button>
          ) : modifiable ? (
            <Button size="sm" variant="ghost" icon={icon} onClick={() => setOpen(true)}>
              Add note
            </Button>
          ) : null
        }
      </OptionalValue>
      <DialogPart onDismiss={close}>
        {open && <NotePanel kind={kind} thing={thing} onDismiss={close} />}
      </DialogPart>
    </>
  )
}
