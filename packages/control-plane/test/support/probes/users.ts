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
      body: { mode: 'password', value: 'hunter two' },
    }),
  },
  user_builtin_list: plain,
  user_builtin_view: { args: () => ({ params: { user: 'db-init' } }) },
  role_list: plain,
  role_view: { args: () => ({ params: { role_name: 'silo.admin' } }) },
  user_details_list: { args: () => ({ query }) },
  user_details_view: { args: () => ({ params: { user_id: ids.user } }) },
  user_group_list: { args: () => ({ params: { user_id: ids.user } }) },
  user_ssh_key_list: { args: () => ({ params: { user_id: ids.user } }) },
  user_link_create: {
    args: async () => ({ params: await freshUser(), query, body: { delivery: 'copy' } }),
  },
  user_mail_address_update: {
    args: () => ({
      params: { user_id: ids.user },
      query,
      body: { mail_address: 'ann@example.com' },
    }),
  },
  current_user_mail_address_view: plain,
  // They have no password.
  current_user_mail_address_update: {
    args: () => ({ body: { mail_address: null, current_password: 'x' } }),
    passes: 404,
  },
  // The tests of links follow them.
  user_link_view: { args: () => ({ body: { token: 'none' } }), passes: 404 },
  user_link_use: { args: () => ({ body: { token: 'none', password: 'x' } }), passes: 404 },
  // The server sends no mail.
  forgotten_password: {
    args: () => ({ params: { silo_name: 'main' }, body: { username: 'admin' } }),
    passes: 501,
  },
  group_list: plain,
  group_details_list: plain,
  group_details_view: { args: () => ({ params: { group_id: ids.group } }) },
  group_create: { args: () => ({ body: { display_name: fresh() } }) },
  group_delete: {
    args: async () => ({ params: { group_id: await server.createGroup(fresh(), []) } }),
  },
  group_members_update: {
    args: () => ({ params: { group_id: ids.group }, body: { add: [ids.user], remove: [] } }),
  },
  group_view: { args: () => ({ params: { group_id: ids.group } }) },
} satisfies Partial<Probes>
