import { useSearch } from '@tanstack/react-router'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { stopAskingDeletion, useAskedDeletion } from './ask-deletion.ts'
import { currentPlanning, useCloseJob } from './planning.ts'

const JobDialog = lazyPart(() => import('./job-dialog.tsx').then((m) => ({ default: m.JobDialog })))
const DeletionDialog = lazyPart(() =>
  import('./deletion-dialog.tsx').then((m) => ({ default: m.DeletionDialog })),
)

/** Shows the address's job, or the dialog that precedes it. Rendered once by the shell. */
export function JobHost() {
  const planning = currentPlanning.useValue()
  const deletion = useAskedDeletion()
  const { job } = useSearch({ strict: false }) as { job?: string }
  const closeJob = useCloseJob()
  const close = () => {
    currentPlanning.set(undefined)
    if (job) closeJob()
  }
  return (
    <>
      <DialogPart onDismiss={stopAskingDeletion}>
        {deletion && <DeletionDialog key={deletion.id} thing={deletion} />}
      </DialogPart>
      <DialogPart onDismiss={close}>
        {(planning || job) && <JobDialog planning={planning} id={job} />}
      </DialogPart>
    </>
  )
}
