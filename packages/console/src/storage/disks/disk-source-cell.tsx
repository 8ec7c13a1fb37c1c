import { useState } from 'react'
import { DeletedTag, HiddenTag, type Source, useDiskSource } from './disk-source.tsx'
import { CellButton } from '../../ui/cells.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { SkeletonCell } from '../../ui/table.tsx'
import { EmptyCell } from '../../ui/text.tsx'

const SourceDetails = lazyPart(() => import('./source-details.tsx'))

/** Table cell with a button that opens the details of the source. */
export function DiskSourceCell({ disk }: { disk: Source }) {
  const { kind, image, snapshot, gone, hidden, isPending } = useDiskSource(disk)
  const [open, setOpen] = useState(false)
  if (!kind) return <EmptyCell />
  if (gone) return <DeletedTag kind={kind} />
  if (hidden) return <HiddenTag kind={kind} />
  const source = image ?? snapshot
  if (!source) return isPending ? <SkeletonCell /> : <EmptyCell />
  return (
    <>
      <CellButton onClick={() => setOpen(true)}>{source.name}</CellButton>
      {open && (
        <DialogPart onDismiss={() => setOpen(false)}>
          <SourceDetails image={image} snapshot={snapshot} onDismiss={() => setOpen(false)} />
        </DialogPart>
      )}
    </>
  )
}
