import { serviceAccountUserName } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf, readLive } from '../../../kernel/kinds.ts'
import { deleteRow, newNamed } from '../../../kernel/named-rows.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { removeAssignments } from '../policies/remove-assignments.ts'
import { createUser } from '../users/create.ts'
import { deleteUser } from '../users/delete.ts'
import { updateUser } from '../users/update.ts'
import { serviceAccountKind, type ServiceAccountRow } from './lookup.ts'

const changed = (
  { emit }: Pick<Writing, 'emit'>,
  account: ServiceAccountRow,
  action: 'create' | 'update',
): Promise<void> => emit(serviceAccountKind(account), action, account)

const userOf = (db: Db, id: string): Promise<Row<'silo_user'>> => readLive(db, 'silo_user', id)

/**
 * Creates a service account and its user.
 * @throws ApiError 400 for a name that another one in the same place has
 */
export async function createServiceAccount(
  writing: Writing,
  values: Pick<ServiceAccountRow, 'name' | 'description' | 'silo_id' | 'project_id'>,
): Promise<ServiceAccountRow> {
  const row = { ...newNamed(writing, values), ...values, time_deleted: null }
  await createUser(writing, {
    id: row.id,
    silo_id: values.silo_id,
    external_id: serviceAccountUserName(row.id),
    display_name: values.name,
    is_service: 1,
  })
  await writing.db.insertInto('service_account').values(row).execute()
  await changed(writing, row, 'create')
  return row
}

/** @throws ApiError 400 for a name that another one in the same place has */
export async function updateServiceAccount(
  writing: Writing,
  account: ServiceAccountRow,
  values: Partial<Pick<ServiceAccountRow, 'name' | 'description'>>,
): Promise<ServiceAccountRow> {
  const { db, now } = writing
  const { id } = account
  const { name, description } = { ...account, ...values }
  const changes = { ...named(name), description, time_modified: now.toISOString() }
  const updated = { ...account, ...changes }
  await changeRow(db, 'service_account', id, changes)
  if (name !== account.name) await updateUser(writing, await userOf(db, id), { display_name: name })
  await changed(writing, updated, 'update')
  return updated
}

/** Deletes a service account with its user, tokens and roles. Its streams and consoles end. */
export async function deleteServiceAccount(
  writing: Writing,
  account: ServiceAccountRow,
): Promise<void> {
  await deleteUser(writing, await userOf(writing.db, account.id))
  await removeAssignments(writing, account.id, account.silo_id)
  await deleteRow(writing, serviceAccountKind(account), account)
}

/** Deletes the service accounts of a project that is being deleted. */
export async function deleteServiceAccountsOf(writing: Writing, projectId: string): Promise<void> {
  const accounts = await rowsOf(writing.db, 'service_account')
    .selectAll()
    .where('its.project_id', '=', projectId)
    .execute()
  for (const account of accounts) await deleteServiceAccount(writing, account)
}
