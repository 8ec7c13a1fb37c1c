import { kindTable, type ListedKind } from '@steading/api/rules'
import { call } from '../../data/api.ts'

const scopes: Record<string, 'system' | 'user'> = { fleet: 'system', silo_user: 'user' }

/** Where the tags of a kind are listed: its project, or else its scope. */
export const placeOfTags = (kind: ListedKind, project: string | undefined) => {
  const scope = scopes[kindTable[kind].parent ?? ''] ?? ('silo' as const)
  return project && scope === 'silo' ? { project } : { scope }
}

/** Keys of tags in use where the resources of a list are. */
export const tagKeysOf = async (kind: ListedKind, project: string | undefined) =>
  (await call('tagKeyList', { query: placeOfTags(kind, project) })).keys
