import { hostStates } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

/** The abilities of the control plane and its engine that the pages of hosts need. */
export const hostsNeed = [{ needs: 'hosts', part: 'enrolment' }] as const

export const hostListDefinition: ListDefinition<'hostSearch'> = {
  kind: 'host',
  id: 'hosts',
  operation: 'hostSearch',
  filters: { state: hostStates },
}

export const hostQuery = (hostId: string) => apiQuery('hostView', { path: { hostId } })

export const hostFencingQuery = (hostId: string) =>
  apiQuery('hostFencingView', { path: { hostId } })

export const hostStoryQuery = (hostId: string) => apiQuery('hostStory', { path: { hostId } })

export const useHostParam = (): string =>
  useParams({ from: '/shell/system/hosts-crumb/system/inventory/hosts/$host' }).host

export const useFencingParam = (): string =>
  useParams({ from: '/shell/system/hosts-crumb/system/inventory/hosts/$host/fencing' }).host
