import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

const FiringNotice = lazyPart(() => import('./firing-notice.tsx'))

/**
 * Notice of the user's readable rules that are firing: all of them, or those about one
 * resource.
 * @param about the page's resource
 */
export function FiringAlerts({ about = {} }: { about?: { instance?: string; disk?: string } }) {
  const enabled = useCapability('alertRules')
  const { data } = useQuery({ ...apiQuery('firingAlertList', { query: about }), enabled })
  if (!data || data.items.length === 0) return null
  const ofAll = !about.instance && !about.disk
  return (
    <Suspense>
      <FiringNotice alerts={data.items} more={data.more} namesProjects={ofAll} />
    </Suspense>
  )
}
