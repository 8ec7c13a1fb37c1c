import type { Operation } from '../../operation.ts'
import { LIST_SEARCH_MAX } from '../../rules/limits.ts'
import { pageLimit, text } from '../../schema.ts'
import { FoundResources } from './schemas.ts'

const FindText = text(LIST_SEARCH_MAX, { minLength: 1 }, (value) =>
  value.length < 1 || value.length > LIST_SEARCH_MAX
    ? `text must have between 1 and ${LIST_SEARCH_MAX} characters`
    : undefined,
)

export const findOperations = {
  find: {
    method: 'GET',
    path: '/x/v1/find',
    tags: ['extensions'],
    summary:
      'Find resources of the silo by the start of their name, id or address, or by their tags',
    permission: 'session',
    evenIfLimited: true,
    query: { text: FindText, limit: pageLimit.nullable().optional() },
    success: { status: 200, schema: FoundResources },
  },
} as const satisfies Record<string, Operation>
