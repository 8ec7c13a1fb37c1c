import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'

export interface NewUser {
  id?: string
  silo_id: string
  /** The sign-in name; it must be free in the silo, or at the identity provider of the user. */
  external_id: string
  /** The same as the sign-in name by default. */
  display_name?: string
  password_hash?: string | null
  /** Only for SCIM users; see the table. */
  user_name_key?: string
  provider_key?: string | null
  /** False creates a user who cannot sign in yet. */
  active?: boolean
  /** 1 for the user of a service account. */
  is_service?: Row<'silo_user'>['is_service']
  /** 1 for a user created by a sign-in through an identity provider. */
  is_provided?: Row<'silo_user'>['is_provided']
}

/** Emits the event of a user. */
export const userChanged = (
  { emit }: Pick<Writing, 'emit'>,
  user: Row<'silo_user'>,
  action: 'create' | 'update' | 'delete',
): Promise<void> =>
  emit('silo_user', action, { id: user.id, name: user.display_name, silo_id: user.silo_id })

/** @throws ApiError 400 if a user of the silo has the name */
export async function createUser(writing: Writing, user: NewUser): Promise<Row<'silo_user'>> {
  const { external_id, active = true } = user
  const time = writing.now.toISOString()
  const row: Row<'silo_user'> = {
    id: user.id ?? crypto.randomUUID(),
    silo_id: user.silo_id,
    external_id,
    display_name: user.display_name ?? external_id,
    user_name_key: user.user_name_key ?? null,
    provider_key: user.provider_key ?? null,
    password_hash: user.password_hash ?? null,
    password_generated: null,
    password_weak: null,
    time_created: time,
    time_modified: time,
    time_deleted: null,
    time_deactivated: active ? null : time,
    time_last_sign_in: null,
    is_service: user.is_service ?? 0,
    is_provided: user.is_provided ?? 0,
  }
  await writing.db.insertInto('silo_user').values(row).execute()
  await userChanged(writing, row, 'create')
  return row
}
