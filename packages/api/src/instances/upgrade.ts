import { isJsonObject, upgradeDiskCreate } from '../disks/upgrade.ts'

const upgradeAttachment = (disk: unknown): unknown =>
  isJsonObject(disk) && disk.type === 'create' ? upgradeDiskCreate(disk) : disk

/**
 * Spellings of clients from before dual-stack interfaces (2026010300) and local disks: the network
 * interface `{ type: 'default' }`, and disk sources at the top level.
 */
export function upgradeInstanceCreate(body: unknown): unknown {
  if (!isJsonObject(body)) return body
  const upgraded = { ...body }
  if (isJsonObject(body.network_interfaces) && body.network_interfaces.type === 'default') {
    upgraded.network_interfaces = { type: 'default_ipv4' }
  }
  if (Array.isArray(body.disks)) upgraded.disks = body.disks.map(upgradeAttachment)
  if ('boot_disk' in body) upgraded.boot_disk = upgradeAttachment(body.boot_disk)
  return upgraded
}
