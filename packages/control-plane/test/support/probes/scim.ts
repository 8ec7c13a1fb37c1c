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
  scim_v2_list_users: plain,
  scim_v2_search_users: { args: () => ({ body: {} }) },
  scim_v2_create_user: { args: () => ({ body: { userName: fresh() } }) },
  scim_v2_get_user_by_id: { args: aboutUser },
  scim_v2_replace_user: {
    args: async () => ({ ...(await aboutUser()), body: { userName: fresh() } }),
  },
  scim_v2_patch_user: { args: async () => ({ ...(await aboutUser()), body: rename() }) },
  scim_v2_delete_user: { args: aboutUser },
  scim_v2_list_groups: plain,
  scim_v2_search_groups: { args: () => ({ body: {} }) },
  scim_v2_create_group: { args: () => ({ body: { displayName: fresh() } }) },
  scim_v2_get_group_by_id: { args: aboutGroup },
  scim_v2_replace_group: {
    args: async () => ({ ...(await aboutGroup()), body: { displayName: fresh() } }),
  },
  scim_v2_patch_group: { args: async () => ({ ...(await aboutGroup()), body: rename() }) },
  scim_v2_delete_group: { args: aboutGroup },
  scim_v2_get_service_provider_config: plain,
  scim_v2_get_resource_types: plain,
  scim_v2_get_resource_type_by_id: { args: () => ({ params: { id: 'User' } }) },
  scim_v2_get_schemas: plain,
  scim_v2_get_schema_by_id: {
    args: () => ({ params: { id: 'urn:ietf:params:scim:schemas:core:2.0:Group' } }),
  },
} satisfies Partial<Probes>
