import { lazyPart } from '../ui/lazy-part.ts'
import { useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useAskedDeletion } from './ask-deletion.ts'
import { currentPlanning } from './planning.ts'

const JobDialog = lazyPart(() => import('./job-dialog.tsx').then((m) => ({ default: m.JobDialog })))
const DeletionDialog = lazyPart(() =>
  import('./deletion-dialog.tsx').then((m) => ({ default: m.DeletionDialog })),
)

/** Rendered once, by the shell: the job that the address names, or the dialog that comes before it. */
export function JobHost() {
  const planning = currentPlanning.useValue()
  const deletion = useAskedDeletion()
  const { job } = useSearch({ strict: false }) as { job?: string }
  return (
    <Suspense>
      {deletion && <DeletionDialog key={deletion.id} thing={deletion} />}
      {(planning || job) && <JobDialog planning={planning} id={job} />}
    </Suspense>
  )
}
