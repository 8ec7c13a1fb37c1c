/** Versions are read and restored with the permissions of the setting itself. */
import { operations, type OperationId, type Permission } from '@steading/api'
import {
  type Action,
  FLEET_ID,
  kindTable,
  type KindName,
  type SettingName,
  versionedSettings,
} from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Context } from '../../../kernel/context.ts'
import { ApiError, fail } from '../../../kernel/errors.ts'
import { locate, type Located, requiring } from '../../../kernel/lookup.ts'

type Asking = Pick<Context, 'db' | 'actor' | 'audit'>

interface OfSetting {
  setting: SettingName
  thing: string
}

/**
 * Checks that the caller may call the operation that reads a setting, or the one that changes it.
 * @returns the resource that the setting belongs to; undefined for the fleet
 * @throws ApiError 404 or 403, as that operation
 */
export async function requirePermitted(
  asking: Asking,
  { setting, thing }: OfSetting,
  how: 'read' | 'change',
): Promise<Located | undefined> {
  const { of, ...declared } = versionedSettings[setting]
  const permission: Permission = operations[declared[how] as OperationId].permission
  const required = (typeof permission === 'object' ? permission : {}) as Record<KindName, Action>
  const context = requiring(asking, required)
  const isOther = of === 'fleet' ? thing !== FLEET_ID : thing !== asking.actor.siloId
  if (isOther && (of === 'fleet' || 'ownSilo' in declared)) {
    throw fail.notFoundById(kindTable[of].type, thing)
  }
  const found =
    of === 'fleet'
      ? undefined
      : await locate(requiring(asking, { [of]: 'read', ...required }), of, thing)
  // Quotas need an action on the fleet besides.
  if (required.fleet) authorize(context, 'fleet', {})
  return found
}

export async function isPermitted(
  asking: Asking,
  about: OfSetting,
  how: 'read' | 'change',
): Promise<boolean> {
  try {
    await requirePermitted(asking, about, how)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
