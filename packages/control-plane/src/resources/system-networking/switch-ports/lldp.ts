/** LLDP configuration of links; it is a part of the settings applied to a port. */
import type { Wire } from '@steading/api'
import { formatAddress, parseAddress, switchPortMessages } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import { type Row, readLive } from '../../../kernel/kinds.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { documentOf } from '../switch-port-settings/wire.ts'
import './table.ts'
import { settingsDocument } from '../switch-port-settings/table.ts'

type Port = Row<'switch_port'>

/** @throws ApiError 400 for a port without settings, or with settings without links */
async function configured(db: Db, { port_settings_id }: Port) {
  const invalid = (text: string) => fail.invalidValue('settings', text)
  if (port_settings_id === null) throw invalid(switchPortMessages.notConfigured)
  const settings = await readLive(db, 'switch_port_settings', port_settings_id)
  const document = documentOf(settings)
  const [first] = document.links
  if (!first) throw invalid(switchPortMessages.noLldp)
  return { settings, document, first }
}

/** The configuration of the first link of a port. */
export async function lldpConfig(db: Db, port: Port): Promise<Wire.LldpLinkConfig> {
  return (await configured(db, port)).first.lldp
}

/**
 * Replaces the configuration of the link with the id, in the settings of the port.
 * @throws ApiError 400 for an unknown id of a link
 */
export async function putLldpConfig(
  { db, now, emit }: Writing,
  port: Port,
  config: Wire.LldpLinkConfig,
): Promise<void> {
  const { settings, document, first } = await configured(db, port)
  const link = document.links.find(({ lldp }) => lldp.id === config.id)
  if (!link) throw fail.invalidRequest(switchPortMessages.lldpId(first.lldp.id, config.id))
  const { management_ip: ip } = config
  link.lldp = { ...config, management_ip: ip ? formatAddress(parseAddress(ip)!) : null }
  await changeRow(db, 'switch_port_settings', settings.id, {
    document: settingsDocument.write(document),
    time_modified: now.toISOString(),
  })
  await emit('switch_port_settings', 'update', settings)
  await emit('switch_port', 'update', port)
}
