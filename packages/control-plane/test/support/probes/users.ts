import { plain, type Probes } from './probe.ts'
import { fresh, ids, server } from './world.ts'

const query = { silo: 'main' }

/** A user who may be changed. */
async function freshUser(): Promise<{ user_id: string }> {
  return { user_id: (await server.createUser(fresh())).id }
}

export const usersProbes = {
  current_user_view: plain,
  current_user_groups: plain,
  user_list: plain,
  user_view: { args: () => ({ params: { user_id: ids.user } }) },
  silo_user_list: { args: () => ({ query }) },
  silo_user_view: { args: () => ({ params: { user_id: ids.user }, query }) },
  local_idp_user_create: {
    args: () => ({
      query,
      body: { external_id: fresh(), password: { mode: 'login_disallowed' } },
    }),
  },
  local_idp_user_delete: { args: async () => ({ params: await freshUser(), query }) },
  local_idp_user_set_password: {
    args: async () => ({
      params: await freshUser(),
      query,
      body: { mode: 'password', value: 'hunter2' },
    }),
  },
  user_builtin_list: plain,
  user_builtin_view: { args: () => ({ params: { user: 'db-init' } }) },
  role_list: plain,
  role_view: { args: () => ({ params: { role_name: 'silo.admin' } }) },
  group_list: plain,
  group_view: { args: () => ({ params: { group_id: ids.group } }) },
} satisfies Partial<Probes>
