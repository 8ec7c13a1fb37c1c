import { PoolSelector } from '../ip-pools/schemas.ts'
import { poolSelectorChange, upgradePoolChoice } from '../ip-pools/upgrade.ts'
import { ip } from '../../network.ts'
import { identity, named, NameOrId, record, tagged, uint16, uuid } from '../../schema.ts'
import { isJsonObject } from '../../describe-json.ts'
import { changed } from '../../versions.ts'

const address = { ip, ip_pool_id: uuid }

export const ExternalIp = named(
  'ExternalIp',
  tagged('kind', {
    snat: { ...address, first_port: uint16, last_port: uint16 },
    ephemeral: address,
    floating: {
      ...identity,
      ...address,
      project_id: uuid,
      instance_id: uuid.nullable().optional(),
    },
  }),
)

export const ExternalIpCreate = changed(
  named(
    'ExternalIpCreate',
    tagged('type', {
      ephemeral: { pool_selector: PoolSelector.default({ type: 'auto', ip_version: null }) },
      floating: { floating_ip: NameOrId },
    }),
  ),
  {
    until: poolSelectorChange.until,
    upgradeRequest: (ip) =>
      isJsonObject(ip) && ip.type === 'ephemeral' ? upgradePoolChoice(ip) : ip,
  },
)

export const EphemeralIpCreate = changed(
  record('EphemeralIpCreate', {
    pool_selector: PoolSelector.default({ type: 'auto', ip_version: null }),
  }),
  poolSelectorChange,
)
