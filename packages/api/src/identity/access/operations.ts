import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId, oneOf, pageLimit, uuid, Uuids } from '../../schema.ts'
import { PlainSearchText } from '../../searched.ts'
import {
  AccessAction,
  AccessChange,
  AccessHolderResultsPage,
  AccessPreview,
  Identities,
  ResourceKind,
  UserAccess,
} from './schemas.ts'

const tags = ['extensions']

export const accessOperations = {
  identity_list: {
    method: 'GET',
    path: '/x/v1/identities',
    tags,
    summary: "Find users and groups of a silo, by default the caller's, by their names or ids",
    permission: { silo: 'read', silo_user: 'list', silo_group: 'list', project: 'read' },
    query: {
      silo: NameOrId.optional(),
      search: PlainSearchText.optional(),
      /**
       * Only identities that can have roles there. Service accounts of the silo have none on the
       * fleet; those of a project have roles in it alone, and `project` names it.
       */
      assignable: oneOf('fleet', 'silo', 'project').optional(),
      project: NameOrId.optional(),
      ids: Uuids.optional(),
      limit: pageLimit.nullable().optional(),
    },
    success: { status: 200, schema: Identities },
  },
  access_list: {
    method: 'GET',
    path: '/x/v1/access',
    tags,
    summary: 'List the users who have a permission, with the roles that grant it',
    permission: { fleet: 'read', silo: 'read', project: 'read' },
    ...paged(
      { kind: 'AccessHolder', columns: ['name'] },
      {
        kind: ResourceKind.optional(),
        action: AccessAction.optional(),
        project: NameOrId.optional(),
        search: PlainSearchText.optional(),
      },
      ['kind', 'action'],
    ),
    transaction: 'snapshot',
    success: { status: 200, schema: AccessHolderResultsPage },
  },
  user_access_view: {
    method: 'GET',
    path: '/x/v1/access/users/{user_id}',
    tags,
    summary: "Show a user's permissions in the silo or a project, and the roles that grant them",
    permission: { silo_user: 'read', project: 'read' },
    params: { user_id: uuid },
    query: { project: NameOrId.optional() },
    transaction: 'snapshot',
    success: { status: 200, schema: UserAccess },
  },
  access_preview: {
    method: 'POST',
    path: '/x/v1/access/preview',
    tags,
    summary: 'Preview the roles lost by a change of a policy, a group or a user',
    permission: {
      fleet: 'modify',
      silo: 'modify',
      project: 'modify',
      silo_group: 'modify',
      silo_user: 'modify',
    },
    body: AccessChange,
    audited: false,
    transaction: 'snapshot',
    success: { status: 200, schema: AccessPreview },
  },
} as const satisfies Record<string, Operation>
