import type { EndingCertificates } from '@steading/api/client'
import { daysLeft } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { ShieldAlert } from 'lucide-react'
import { apiQuery } from '../data/api.ts'
import { useCapability } from '../data/capabilities.ts'
import { useCurrentUser, useFleetViewer } from '../data/session.ts'
import { NoticeBar } from '../page/notice-bar.tsx'
import { TextLink } from '../ui/link.tsx'
import { createStore } from '../ui/store.ts'

const HOUR_MS = 60 * 60 * 1000

/** The certificate that expires first, with the remaining days as of its read. */
function toNotice({ items }: EndingCertificates) {
  const [first] = items
  return first && { first, count: items.length, days: daysLeft(first.timeEnds, new Date()) }
}

/** Id of the certificate whose notice was dismissed in this tab. */
const dismissed = createStore<string | undefined>(undefined)

const inDays = (days: number): string =>
  days < 0
    ? 'has ended'
    : days === 0
      ? 'ends today'
      : `ends in ${days} ${days === 1 ? 'day' : 'days'}`

/** Warns admins of the silo and operators about an expiring certificate. */
export function CertificateNotice() {
  const { siloAdmin, siloId } = useCurrentUser()
  const isConcerned = useFleetViewer() || siloAdmin
  const isTold = useCapability('endingCertificates')
  const { data: notice } = useQuery({
    ...apiQuery('certificateEndingList', {}),
    enabled: isConcerned && isTold,
    select: toNotice,
    refetchInterval: HOUR_MS,
  })
  const hidden = dismissed.useValue()
  if (!notice || notice.first.id === hidden) return null
  const { first, count, days } = notice
  const isOwn = first.siloId === siloId
  return (
    <NoticeBar
      icon={ShieldAlert}
      tone={days < 0 ? 'red' : 'amber'}
      onDismiss={() => dismissed.set(first.id)}
    >
      The certificate{' '}
      {isOwn && siloAdmin ? (
        <TextLink to="/certificates">{first.name}</TextLink>
      ) : (
        <b className="font-medium">{first.name}</b>
      )}{' '}
      of silo {first.siloName} {inDays(days)}.{' '}
      {days < 0 ? 'Browsers refuse to connect with it.' : 'Add a new one before that.'}
      {count > 1 && ` ${count - 1} more ${count === 2 ? 'ends' : 'end'} soon.`}
    </NoticeBar>
  )
}
