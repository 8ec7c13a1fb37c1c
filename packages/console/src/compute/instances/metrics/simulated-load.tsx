import { instanceLoadProblem } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiAction } from '../../../workspace/as-code/as-code.tsx'
import { apiQuery, whenReread } from '../../../data/api.ts'
import { useCapability } from '../../../data/capabilities.ts'
import { useInstance, useInstanceParams } from '../queries.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm.tsx'
import { DialogPart } from '../../../ui/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Strong } from '../../../ui/text.tsx'
import { formatMoment } from '../../../ui/time.tsx'
import { doneToast } from '../../../ui/toasts.tsx'

const LoadForm = lazyPart(() => import('./load-form.tsx').then((m) => ({ default: m.LoadForm })))

/**
 * Polled because no event announces the end of a load; equals the sampling interval of machines.
 */
const READ_EVERY_MS = 5000

/** The simulated load of the page's instance; never known without the simulation. */
function useLoad() {
  const { project, instance } = useInstanceParams()
  const simulated = useCapability('simulation')
  const { data: load, isLoading } = useQuery({
    ...apiQuery('simulatedInstanceLoadView', { path: { instance }, query: { project } }),
    enabled: simulated,
    refetchInterval: READ_EVERY_MS,
  })
  return { load, isLoading }
}

/** Button that opens the load form, if machines are simulated. */
export function LoadButton() {
  const params = useInstanceParams()
  const { runState } = useInstance(params)
  const { load, isLoading } = useLoad()
  const [open, setOpen] = useState(false)
  // It is there from the beginning, because it may need a line of its own.
  if (!load && !isLoading) return null
  return (
    <>
      <Button
        calls="simulatedInstanceSetLoad"
        disabledReason={load ? instanceLoadProblem(runState) : 'The load is being read'}
        onClick={() => setOpen(true)}
      >
        Simulate load
      </Button>
      {open && load && (
        <DialogPart onDismiss={() => setOpen(false)}>
          <LoadForm {...params} load={load} onDismiss={() => setOpen(false)} />
        </DialogPart>
      )}
    </>
  )
}

const none = { cpu: 0, disk: 0, network: 0 }

/** Banner with the current simulated load and its end. */
export function LoadNotice() {
  const { project, instance } = useInstanceParams()
  const { load } = useLoad()
  const stop = useApiAction('simulatedInstanceSetLoad', {
    onSuccess: async () => {
      await whenReread()
      doneToast('Load of', instance, 'stopped')
    },
  })
  if (!load || load.timeStarted === null) return null
  const { cpu, disk, network, timeEnds } = load
  const parts = Object.entries({ CPU: cpu, disk, network }).flatMap(([part, percent]) =>
    percent > 0 ? `${part} ${percent}%` : [],
  )
  return (
    <Banner
      title={`Under simulated load${timeEnds ? ` until ${formatMoment(timeEnds)}` : ''}`}
      action={
        <Button
          size="sm"
          calls="simulatedInstanceSetLoad"
          onClick={() =>
            confirmAction({
              title: 'Stop load',
              body: (
                <>
                  The simulated load of <Strong>{instance}</Strong> ends now.
                </>
              ),
              errorTitle: `Failed to stop load on ${instance}`,
              ...stop({ path: { instance }, query: { project }, body: none }),
            })
          }
        >
          Stop
        </Button>
      }
    >
      {parts.join(', ')}
    </Banner>
  )
}
