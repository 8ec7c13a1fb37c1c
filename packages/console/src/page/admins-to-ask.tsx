import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { apiQueryErrorsAllowed } from '../data/api.ts'
import { useCapability } from '../data/capabilities.ts'
import { Strong } from '../ui/text.tsx'

/** Maximum number of admins named. */
const NAMED = 3

/** Any user of a silo may read its policy, and thus its admins. */
const adminsQuery = apiQueryErrorsAllowed('accessList', {
  query: { kind: 'silo', action: 'modify', limit: NAMED + 1 },
})

/** A sentence naming people who can give the user a role. */
export function AdminsToAsk() {
  const isSystem = useLocation({ select: ({ pathname }) => pathname.startsWith('/system/') })
  // Only fleet viewers may read the fleet's policy.
  return isSystem ? 'An administrator of the fleet can give you one.' : <SiloAdmins />
}

function SiloAdmins() {
  const enabled = useCapability('access')
  const { data } = useQuery({ ...adminsQuery, enabled })
  const names = data?.type === 'success' ? data.data.items.map(({ user }) => user.displayName) : []
  if (names.length === 0) return 'An administrator of the silo can give you one.'
  const named = names.slice(0, NAMED)
  return (
    <>
      The administrators of the silo can give you one:{' '}
      {named.map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <Strong>{name}</Strong>
        </span>
      ))}
      {names.length > NAMED && ' and others'}.
    </>
  )
}
