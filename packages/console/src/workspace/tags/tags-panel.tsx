import { kindLabels, type ListedKind } from '@steading/api/rules'
import { Tag } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { SideModal } from '../../ui/side-modal.tsx'
import { NoteCard } from '../notes/note-card.tsx'
import { ResourceTags } from './resource-tags.tsx'
import { Truncate } from '../../ui/text.tsx'

type TagsPanelProps = {
  kind: ListedKind
  thing: { id: string; name: string }
  onDismiss: () => void
}

/** Tags and note of a resource that has a panel instead of a page. */
export default function TagsPanel({ kind, thing, onDismiss }: TagsPanelProps) {
  return (
    <SideModal
      title="Tags and note"
      subtitle={
        <>
          <Tag size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={`${capitalized(kindLabels(kind))} ${thing.name}`} />
        </>
      }
      onDismiss={onDismiss}
      footer={<Button onClick={onDismiss}>Close</Button>}
    >
      <div className="flex min-h-40 min-w-0 flex-wrap content-start items-center gap-1.5">
        <ResourceTags kind={kind} thing={thing} />
      </div>
      <div className="flex min-w-0 border-t pt-4">
        <NoteCard kind={kind} thing={thing} />
      </div>
    </SideModal>
  )
}
