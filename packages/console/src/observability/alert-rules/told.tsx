import type { NotificationSubscription } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { useCapability } from '../../data/capabilities.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { openDialog } from '../../ui/opened-dialog.tsx'
import { channelLabels } from '../notifications/labels.ts'
import { subscriptionsQuery } from '../notifications/queries.ts'
import type { RuleOwner } from './queries.ts'

const SubscriptionForm = lazyPart(async () => ({
  default: (await import('../notifications/subscription-forms.tsx')).NotificationSubscriptionForm,
}))

/** Whether a subscription sends firings of a rule. */
const sends = ({ topics, state, scope, project }: NotificationSubscription, owner: RuleOwner) =>
  state === 'active' &&
  topics.includes('alert_rule') &&
  (owner === undefined ? scope === 'mine' || scope === 'fleet' : !project || project.name === owner)

/** Who is told when a rule fires, and a way to be told elsewhere than in the bell. */
export function Told({ owner }: { owner: RuleOwner }) {
  const supported = useCapability('notifications')
  const hasMail = useCapability('notificationMail')
  const hasOthers = useCapability('notificationWebhooks')
  const enabled = { enabled: supported, throwOnError: false }
  const own = useQuery({ ...subscriptionsQuery(), ...enabled })
  const ofProject = useQuery({
    ...subscriptionsQuery(owner),
    ...enabled,
    enabled: supported && owner !== undefined,
  })
  if (!supported) return null
  const isKnown = own.data && (ofProject.data || owner === undefined)
  const targets = [...(own.data?.items ?? []), ...(ofProject.data?.items ?? [])]
    .filter((subscription) => sends(subscription, owner))
    .map(({ channel, target }) => `${channelLabels[channel]} ${target}`)
  return (
    <section aria-label="Who is told" className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="flex min-w-0 flex-1 items-start gap-2 text-secondary">
        <Bell size={16} strokeWidth={1.5} className="mt-0.5 shrink-0" aria-hidden />
        <span className="min-w-0 wrap-anywhere">
          {owner === undefined ? 'Operators' : 'Members of the project'} see firings in the bell.{' '}
          {targets.length > 0
            ? `They are also sent to ${[...new Set(targets)].join(', ')}.`
            : isKnown && owner
              ? 'Neither you nor the project has a subscription that sends them elsewhere.'
              : 'You have no subscription that sends them elsewhere.'}
        </span>
      </p>
      {(hasMail || hasOthers) && (
        <Button
          size="sm"
          calls={{ operation: 'notificationSubscriptionCreate', about: [] }}
          onClick={() =>
            openDialog((onDismiss) => <SubscriptionForm project={owner} onDismiss={onDismiss} />)
          }
        >
          Tell somebody
        </Button>
      )}
    </section>
  )
}
