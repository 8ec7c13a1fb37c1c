import { kindTable, type ListedKind, TAGS_MAX } from '@steading/api/rules'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { apiQuery, call } from '../../data/api.ts'

const scopes: Record<string, 'system' | 'user'> = { fleet: 'system', silo_user: 'user' }

/** Where the tags of a kind are listed: its project, or else its scope. */
export const placeOfTags = (kind: ListedKind, project: string | undefined) => {
  const scope = scopes[kindTable[kind].parent ?? ''] ?? ('silo' as const)
  return project && scope === 'silo' ? { project } : { scope }
}

/** Keys of tags in use where the resources of a list are. */
export const tagKeysOf = async (kind: ListedKind, project: string | undefined) =>
  (await call('tagKeyList', { query: placeOfTags(kind, project) })).keys

/** Tags that are suggested at once. */
export const TAGS_SUGGESTED = 8

/** Tags in use where a resource is, which begin with a text. */
export function useTagsInUse(kind: ListedKind, search: string) {
  const { project } = useParams({ strict: false }) as { project?: string }
  const query = {
    ...placeOfTags(kind, project),
    search,
    limit: TAGS_SUGGESTED + TAGS_MAX,
  }
  const read = apiQuery('tagList', { query })
  return useQuery({ ...read, placeholderData: keepPreviousData, retry: false }).data?.items ?? []
}
