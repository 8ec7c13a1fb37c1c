import { ResourceReference } from '../find/schemas.ts'
import type { Operation } from '../../operation.ts'
import { uuid } from '../../schema.ts'
import { StarCreate, Stars } from './schemas.ts'

const tags = ['extensions']

/** A star is visible only to the user who set it. */
export const starOperations = {
  star_list: {
    method: 'GET',
    path: '/x/v1/stars',
    tags,
    summary: "List the caller's starred resources, newest star first",
    permission: 'session',
    success: { status: 200, schema: Stars },
  },
  star_create: {
    method: 'POST',
    path: '/x/v1/stars',
    tags,
    summary: 'Star a resource; no effect if it is starred already',
    permission: 'session',
    body: StarCreate,
    success: { status: 201, schema: ResourceReference },
  },
  star_delete: {
    method: 'DELETE',
    path: '/x/v1/stars/{thing}',
    tags,
    summary: 'Remove the star of a resource',
    permission: 'session',
    params: { thing: uuid },
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
