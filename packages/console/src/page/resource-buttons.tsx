import type { ListedKind } from '@steading/api/rules'
import { History, Tag } from 'lucide-react'
import { useState } from 'react'
import { useCapability } from '../data/capabilities.ts'
import { DialogPart } from '../ui/dialog.tsx'
import { lazyPart } from '../ui/lazy-part.ts'
import { useHistoryAction } from '../workspace/history/history-action.ts'
import { StarButton } from '../workspace/stars/stars.tsx'
import { IconButton } from '../ui/button.tsx'

const TagsPanel = lazyPart(() => import('../workspace/tags/tags-panel.tsx'))

type ResourceButtonsProps = { kind: ListedKind; thing: { id: string; name: string } }

/** Header buttons of a resource's panel: tags and note, history and star. */
export function ResourceButtons({ kind, thing }: ResourceButtonsProps) {
  const [history] = useHistoryAction(kind)(thing)
  const tagged = useCapability('tags')
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <span className="flex">
      {tagged && (
        <IconButton
          label="Tags and note"
          onClick={() => setOpen(true)}
          icon={<Tag size={16} strokeWidth={1.5} aria-hidden />}
        />
      )}
      {history && (
        <IconButton
          label={history.label}
          onClick={history.onAction}
          icon={<History size={16} strokeWidth={1.5} aria-hidden />}
        />
      )}
      <StarButton kind={kind} thing={thing} />
      <DialogPart onDismiss={close}>
        {open && <TagsPanel kind={kind} thing={thing} onDismiss={close} />}
      </DialogPart>
    </span>
  )
}
