import { ListedKind } from '../find/schemas.ts'
import type { Operation } from '../../operation.ts'
import { NameOrId, oneOf, pageLimit, text, uuid } from '../../schema.ts'
import { TAG_MAX } from '../../rules/tags.ts'
import { ResourceTags, TagKeysInUse, TagsChange, TagsInUse, TagsReplace } from './schemas.ts'

const tags = ['extensions']
const params = { kind: ListedKind, thing: uuid }

/** Without a project: resources of the silo and its projects, the system, or the caller. */
const TagScope = oneOf('silo', 'system', 'user')

const TagStart = text(TAG_MAX, {}, (value) =>
  value.length > TAG_MAX ? 'search is longer than any tag' : undefined,
)

/**
 * Tags of resources of all kinds with a list in `/x/v1`. Callers who may read a resource see its
 * tags; callers who may modify it may tag it.
 */
export const tagOperations = {
  tag_list: {
    method: 'GET',
    path: '/x/v1/tags',
    tags,
    summary: 'List the tags in use on readable resources of a project, the silo or the system',
    permission: { project: 'read' },
    query: {
      project: NameOrId.optional(),
      scope: TagScope.optional(),
      /** Beginning of the tags. */
      search: TagStart.optional(),
      limit: pageLimit.nullable().optional(),
    },
    success: { status: 200, schema: TagsInUse },
  },
  tag_key_list: {
    method: 'GET',
    path: '/x/v1/tag-keys',
    tags,
    summary:
      'List the keys of tags in use on readable resources of a project, the silo or the system',
    permission: { project: 'read' },
    query: {
      project: NameOrId.optional(),
      scope: TagScope.optional(),
      /** Beginning of the keys. */
      search: TagStart.optional(),
      limit: pageLimit.nullable().optional(),
    },
    success: { status: 200, schema: TagKeysInUse },
  },
  tags_view: {
    method: 'GET',
    path: '/x/v1/tags/{kind}/{thing}',
    tags,
    summary: 'Show the tags of a resource',
    permission: 'session',
    evenIfLimited: true,
    params,
    success: { status: 200, schema: ResourceTags },
  },
  tags_replace: {
    method: 'PUT',
    path: '/x/v1/tags/{kind}/{thing}',
    tags,
    summary: 'Replace all tags of a resource',
    permission: 'session',
    evenIfLimited: true,
    params,
    body: TagsReplace,
    success: { status: 200, schema: ResourceTags },
    changes: ['tag_list'],
  },
  tags_change: {
    method: 'PATCH',
    path: '/x/v1/tags/{kind}/{thing}',
    tags,
    summary: 'Set and remove some tags of a resource; others stay as they are',
    permission: 'session',
    evenIfLimited: true,
    params,
    body: TagsChange,
    success: { status: 200, schema: ResourceTags },
    changes: ['tag_list'],
  },
} as const satisfies Record<string, Operation>
