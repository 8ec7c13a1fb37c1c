import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { SshKey, SshKeyCreate, SshKeyResultsPage } from './schemas.ts'
import { searched } from '../../searched.ts'

const tags = ['current-user']

const current_user_ssh_key_list = {
  method: 'GET',
  path: '/v1/me/ssh-keys',
  tags,
  summary: 'List the SSH keys of the signed-in user',
  permission: 'session',
  evenIfLimited: true,
  ...paged('name_or_id'),
  success: { status: 200, schema: SshKeyResultsPage },
} as const satisfies Operation

export const sshKeyOperations = {
  current_user_ssh_key_list,
  current_user_ssh_key_search: searched({
    kind: 'SshKey',
    item: SshKey,
    plain: current_user_ssh_key_list,
    columns: ['name', 'natural_name', 'description', 'time_created'],
    filters: {},
  }),
  current_user_ssh_key_create: {
    method: 'POST',
    path: '/v1/me/ssh-keys',
    tags,
    summary: 'Add an SSH key',
    permission: 'session',
    body: SshKeyCreate,
    success: { status: 201, schema: SshKey },
  },
  current_user_ssh_key_view: {
    method: 'GET',
    path: '/v1/me/ssh-keys/{ssh_key}',
    tags,
    summary: 'Show an SSH key',
    permission: 'session',
    evenIfLimited: true,
    params: { ssh_key: NameOrId },
    success: { status: 200, schema: SshKey },
  },
  current_user_ssh_key_delete: {
    method: 'DELETE',
    path: '/v1/me/ssh-keys/{ssh_key}',
    tags,
    summary: 'Delete an SSH key',
    permission: 'session',
    params: { ssh_key: NameOrId },
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
