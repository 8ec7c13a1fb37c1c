import { type ListedKind, TAGS_MAX } from '@steading/api/rules'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { apiQuery } from '../../data/api.ts'
import { placeOfTags } from './tag-keys.ts'

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
