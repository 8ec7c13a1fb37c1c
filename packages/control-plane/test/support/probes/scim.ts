import { patchOf } from '../scim.ts'
import { plain, type Probes } from './probe.ts'
import { fresh, provider, server } from './world.ts'

const query = { silo: 'main' }
const aboutToken = async () => {
  const { id } = await server.admin.call('scim_token_create', { query })
  return { params: { token_id: id }, query }
}
const aboutUser = async () => ({ params: { id: (await provider.user(fresh())).id } })
const aboutGroup = async () => ({ params: { id: (await provider.group(fresh())).id } })
const rename = () => patchOf({ op: 'replace', path: 'externalId', value: fresh() })

export const scimProbes = {
  scim_token_list: { args: () => ({ query }) },
  scim_token_create: { args: () => ({ query }) },
  scim_token_view: { args: aboutToken },
  scim_token_delete: { args: aboutToken },
  scim_user_list: plain,
  scim_user_search: { args: () => ({ body: {} }) },
  scim_user_create: { args: () => ({ body: { userName: fresh() } }) },
  scim_user_view: { args: aboutUser },
  scim_user_replace: {
    args: async () => ({ ...(await aboutUser()), body: { userName: fresh() } }),
  },
  scim_user_update: { args: async () => ({ ...(await aboutUser()), body: rename() }) },
  scim_user_delete: { args: aboutUser },
  scim_group_list: plain,
  scim_group_search: { args: () => ({ body: {} }) },
  scim_group_create: { args: () => ({ body: { displayName: fresh() } }) },
  scim_group_view: { args: aboutGroup },
  scim_group_replace: {
    args: async () => ({ ...(await aboutGroup()), body: { displayName: fresh() } }),
  },
  scim_group_update: { args: async () => ({ ...(await aboutGroup()), body: rename() }) },
  scim_group_delete: { args: aboutGroup },
  scim_config_view: plain,
  scim_resource_type_list: plain,
  scim_resource_type_view: { args: () => ({ params: { id: 'User' } }) },
  scim_schema_list: plain,
  scim_schema_view: {
    args: () => ({ params: { id: 'urn:ietf:params:scim:schemas:core:2.0:Group' } }),
  },
} satisfies Partial<Probes>
