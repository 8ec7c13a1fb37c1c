import type { Briefing } from '@steading/api/client'
import { linkTo } from '../../data/addresses.ts'
import { useApiMutation } from '../../data/api.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { addToast, errorToast } from '../../ui/toasts.tsx'
import { StepList } from './step-list.tsx'

/** Whether some steps are left, and the user has not dismissed them. */
export const hasOpenSteps = ({ steps, dismissed }: Briefing): boolean =>
  !dismissed && steps.some(({ done }) => !done)

/** Dismisses the steps on all devices of the user, with a way back. */
function useDismiss(place: string): () => void {
  const { mutate: restore } = useApiMutation('dismissalDelete')
  const { mutate: dismiss } = useApiMutation('dismissalCreate')
  const undo = () =>
    restore(
      { path: { place } },
      { onError: ({ message }) => errorToast('Could not show the steps again', message) },
    )
  const offerUndo = () => {
    const withdraw = addToast({
      content: 'Dismissed the next steps',
      link: (
        <Button
          size="sm"
          sends
          onClick={() => {
            withdraw()
            undo()
          }}
        >
          Undo
        </Button>
      ),
    })
  }
  return () =>
    dismiss(
      { body: { place } },
      {
        onSuccess: offerUndo,
        onError: ({ message }) => errorToast('Could not dismiss the steps', message),
      },
    )
}

/** The first steps in a place, with those that are done checked. */
export function FirstSteps({ briefing: { place, steps } }: { briefing: Briefing }) {
  const dismiss = useDismiss(place)
  return (
    <StepList
      title="What to do next"
      steps={steps.map(({ step, action, path, ...rest }) => ({
        ...rest,
        id: step,
        links: (
          <LinkButton {...linkTo(path)} size="sm">
            {action}
          </LinkButton>
        ),
      }))}
      onDismiss={dismiss}
    />
  )
}
