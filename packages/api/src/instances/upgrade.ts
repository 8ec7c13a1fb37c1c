import { isJsonObject, upgradeDiskCreate } from '../disks/upgrade.ts'
import { upgradePoolChoice } from '../ip-pools/upgrade.ts'
import { upgradeInterfaceCreate } from '../network-interfaces/upgrade.ts'

const upgradeAttachment = (disk: unknown): unknown =>
  isJsonObject(disk) && disk.type === 'create' ? upgradeDiskCreate(disk) : disk

const upgradeExternalIp = (ip: unknown): unknown =>
  isJsonObject(ip) && ip.type === 'ephemeral' ? upgradePoolChoice(ip) : ip

function upgradeInterfaces(wanted: unknown): unknown {
  if (!isJsonObject(wanted)) return wanted
  if (wanted.type === 'default') return { type: 'default_ipv4' }
  if (wanted.type !== 'create' || !Array.isArray(wanted.params)) return wanted
  return { ...wanted, params: wanted.params.map(upgradeInterfaceCreate) }
}

/**
 * Spellings of clients from before dual-stack interfaces (2026010300), pool selectors and local
 * disks: the network interface `{ type: 'default' }`, and addresses, pools and disk sources at the
 * top level.
 */
export function upgradeInstanceCreate(body: unknown): unknown {
  if (!isJsonObject(body)) return body
  const upgraded = { ...body }
  if ('network_interfaces' in body) {
    upgraded.network_interfaces = upgradeInterfaces(body.network_interfaces)
  }
  if (Array.isArray(body.external_ips)) {
    upgraded.external_ips = body.external_ips.map(upgradeExternalIp)
  }
  if (Array.isArray(body.disks)) upgraded.disks = body.disks.map(upgradeAttachment)
  if ('boot_disk' in body) upgraded.boot_disk = upgradeAttachment(body.boot_disk)
  return upgraded
}
