import { LIST_MAX } from '../../rules/limits.ts'
import { anyJson, dateTime, record, uuid } from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

/** A TUF root role, unmodified. The control plane validates it. */
const RootRole = anyJson(16 * LIST_MAX)

const UpdatesTrustRoot = record('UpdatesTrustRoot', {
  id: uuid,
  root_role: RootRole,
  time_created: dateTime,
})

export const trustRootOperations = usual('trust_root', {
  item: UpdatesTrustRoot,
  id: 'system_update_trust_root',
  path: '/v1/system/update/trust-roots/{trust_root_id}',
  tag: 'system/update',
})({
  system_update_trust_root_list: { summary: 'List trust roots of updates', sort: 'id' },
  system_update_trust_root_create: {
    summary: 'Add a trust root for update repositories',
    audited: { kind: 'trust_root' },
    body: RootRole,
  },
  system_update_trust_root_view: {},
  system_update_trust_root_delete: { summary: 'Remove a trust root' },
})
