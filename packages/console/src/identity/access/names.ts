import type { IdentityType } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useCurrentUser } from '../../data/session.ts'
import type { PolicyPlace } from './policies.ts'

/** A user or a group with its display name. */
export type NamedIdentity = {
  id: string
  name: string
  type: IdentityType
  members?: number | null
  /** Whether it is a service account. */
  service?: boolean
}

const nothing: NamedIdentity[] = []

/** Whether the pages of users and groups are accessible: only to admins of their silo. */
export function useHasPeoplePages(): boolean {
  const { siloAdmin } = useCurrentUser()
  return useCapability('users') && siloAdmin
}

/** The first page of users and of groups, for control planes without search. */
function useFirstPages(enabled: boolean): NamedIdentity[] | undefined {
  const query = { query: { limit: ALL_ITEMS } }
  const groups = useQuery({ ...apiQuery('groupList', query), enabled }).data
  const users = useQuery({ ...apiQuery('userList', query), enabled }).data
  return useMemo(() => {
    if (!groups || !users) return undefined
    const named = (type: IdentityType) => (one: { id: string; displayName: string }) => ({
      id: one.id,
      name: one.displayName,
      type,
    })
    return [...groups.items.map(named('silo_group')), ...users.items.map(named('silo_user'))]
  }, [groups, users])
}

/**
 * Names of users and groups; undefined until known.
 * @param silo their silo; defaults to the user's own
 */
export function useNames(
  ids: readonly string[],
  silo?: string,
): ReadonlyMap<string, NamedIdentity> | undefined {
  const supported = useCapability('access')
  const all = useFirstPages(!supported)
  const searched = [...new Set(ids)].toSorted().join(',')
  const some = useQuery({
    ...apiQuery('identityList', { query: { ids: searched, silo } }),
    enabled: supported && searched !== '',
    placeholderData: (before) => before,
  }).data
  return useMemo(() => {
    const known = supported
      ? searched === ''
        ? nothing
        : some?.items.map(({ displayName: name, ...rest }) => ({ ...rest, name }))
      : all
    return known && new Map(known.map((one) => [one.id, one]))
  }, [supported, all, some, searched])
}

/**
 * Users and groups whose name contains a text: groups first, and not all of them if there are
 * many.
 * @param place where they are to have roles
 */
export function useIdentitySearch(text: string, place: PolicyPlace) {
  const supported = useCapability('access')
  const all = useFirstPages(!supported)
  const search = text.trim()
  const found = useQuery({
    ...apiQuery('identityList', {
      query: {
        silo: place.level === 'silo' ? place.silo : undefined,
        search: search || undefined,
        assignable: place.level,
        project: place.level === 'project' ? place.project : undefined,
      },
    }),
    enabled: supported,
    placeholderData: (before) => before,
  })
  const listed = found.data?.items.map(({ displayName: name, ...rest }) => ({ ...rest, name }))
  const matching = all?.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
  return { items: supported ? listed : matching, query: found, more: found.data?.more ?? false }
}
