import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { apiQueryErrorsAllowed, useApiMutation } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { DeviceFrame } from '../../identity/device/device-pages.tsx'
import { Button } from '../../ui/button.tsx'
import { Strong } from '../../ui/text.tsx'

const words = {
  confirm: {
    title: 'Confirm address',
    ask: 'Notifications of the cloud are to be sent to',
    action: 'Confirm the address',
    done: 'The address is confirmed. Notifications are sent to',
  },
  unsubscribe: {
    title: 'Unsubscribe',
    ask: 'Notifications of the cloud are sent to',
    action: 'Unsubscribe',
    done: 'Unsubscribed. This subscription sends nothing more to',
  },
} as const

/** The link of a mail. Only the button has an effect, because scanners of mail open links. */
export function MailLinkPage() {
  const { token } = useParams({ from: '/login/mail-link/$token' })
  const supported = useCapability('notifications')
  const { data, refetch, isError } = useQuery({
    ...apiQueryErrorsAllowed('notificationLinkView', { path: { token } }),
    enabled: supported,
  })
  const follow = useApiMutation('notificationLinkFollow', { expected: [404] })
  if (!supported || data?.type === 'error' || follow.error) {
    return (
      <DeviceFrame title="Link not valid">
        <p className="text-secondary">
          This link is not valid, or no longer: the subscription was deleted, or the link is too
          old.
        </p>
      </DeviceFrame>
    )
  }
  if (isError) {
    return (
      <DeviceFrame title="No answer">
        <p className="mb-6 text-secondary">The control plane cannot be reached.</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </DeviceFrame>
    )
  }
  if (!data) return <DeviceFrame title="Notifications">{null}</DeviceFrame>
  const { purpose, address, done } = follow.data ?? data.data
  const { title, ask, action, done: doneWords } = words[purpose]
  return (
    <DeviceFrame title={title}>
      <p className="wrap-anywhere text-secondary" aria-live="polite">
        {done ? doneWords : ask} <Strong>{address}</Strong>.
      </p>
      {!done && (
        <Button
          variant="primary"
          className="mt-6 h-10! w-full"
          loading={follow.isPending}
          onClick={() => follow.mutate({ path: { token } })}
        >
          {action}
        </Button>
      )}
    </DeviceFrame>
  )
}
