import { instanceLoadProblem } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiAction } from '../../../workspace/as-code/as-code.tsx'
import { apiQuery, invalidate } from '../../../data/api.ts'
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

/** No event tells that a load has ended. As often as machines are measured. */
const READ_EVERY_MS = 5000

/** The load that the instance of the page is under; undefined where nothing is simulated. */
function useLoad() {
  const { project, instance } = useInstanceParams()
  const simulated = useCapability('simulation')
  const { data } = useQuery({
    ...apiQuery('simulatedInstanceLoadView', { path: { instance }, query: { project } }),
    enabled: simulated,
    refetchInterval: READ_EVERY_MS,
  })
  return data
}

/** Leads to the form that puts the instance under load, where machines are simulated. */
export function LoadButton() {
  const params = useInstanceParams()
  const { runState } = useInstance(params)
  const load = useLoad()
  const [open, setOpen] = useState(false)
  if (!load) return null
  return (
    <>
      <Button
        calls="simulatedInstanceSetLoad"
        disabledReason={instanceLoadProblem(runState)}
        onClick={() => setOpen(true)}
      >
        Simulate load
      </Button>
      {open && (
        <DialogPart onDismiss={() => setOpen(false)}>
          <LoadForm {...params} load={load} onDismiss={() => setOpen(false)} />
        </DialogPart>
      )}
    </>
  )
}

const none = { cpu: 0, disk: 0, network: 0 }

/** Says what load the instance is under, and until when. */
export function LoadNotice() {
  const { project, instance } = useInstanceParams()
  const load = useLoad()
  const stop = useApiAction('simulatedInstanceSetLoad', {
    onSuccess: async () => {
      await invalidate('simulatedInstanceLoadView')
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
              errorTitle: `Could not stop the load of ${instance}`,
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
