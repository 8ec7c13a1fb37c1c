import type { tables, Wire } from '@steading/api'
import { isUuid } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { BOOTSTRAPPED, readSetting } from '../../../kernel/db/setting.ts'
import { fail } from '../../../kernel/errors.ts'
import { pageOfFixed } from '../../../kernel/paging.ts'

/** The built-in identities of the control plane itself (control plane 10.3), by name. */
const builtin: { name: string; end: string; description: string }[] = [
  { name: 'db-init', end: '0001', description: 'Sets up the database' },
  { name: 'external-authn', end: '0003', description: 'Signs users in' },
  { name: 'internal-api', end: '0002', description: 'Handles internal requests' },
  { name: 'internal-read', end: '4ead', description: 'Reads what background work needs' },
  { name: 'omdb', end: '00db', description: 'Inspects and repairs the system' },
  { name: 'saga-recovery', end: '3a8a', description: 'Resumes work after a restart' },
  { name: 'service-balancer', end: 'bac3', description: 'Distributes the services of the system' },
]

/** They are as old as the database. */
async function users(db: Db): Promise<Wire.UserBuiltin[]> {
  const time = (await readSetting(db, BOOTSTRAPPED))!
  return builtin.map(({ name, end, description }) => ({
    id: `001de000-05e4-4000-8000-00000000${end}`,
    name,
    description,
    time_created: time,
    time_modified: time,
  }))
}

export const userBuiltinHandlers: Handlers<typeof tables.userBuiltinOperations> = {
  async user_builtin_list(ctx) {
    authorize(ctx, 'fleet', {})
    return pageOfFixed(ctx.page, await users(ctx.db))
  },

  async user_builtin_view(ctx) {
    authorize(ctx, 'fleet', {})
    const { user: selector } = ctx.params
    const byId = isUuid(selector)
    const found = (await users(ctx.db)).find(({ id, name }) => (byId ? id : name) === selector)
    if (found) return found
    throw byId
      ? fail.notFoundById('user-builtin', selector)
      : fail.notFoundByName('user-builtin', selector)
  },
}
