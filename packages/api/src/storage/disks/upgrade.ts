import { isJsonObject } from '../../describe-json.ts'
import type { SchemaChange } from '../../versions.ts'

/**
 * Clients older than local disks (2025) name the source of a disk at the top level: `disk_source`
 * becomes `disk_backend: { type: 'distributed', disk_source }`.
 */
function upgradeDiskCreate(body: unknown): unknown {
  if (!isJsonObject(body) || 'disk_backend' in body || !('disk_source' in body)) return body
  const { disk_source, ...rest } = body
  return { ...rest, disk_backend: { type: 'distributed', disk_source } }
}

/** End of 2025: the exact version is unknown, and the two spellings are distinguishable. */
export const diskBackendChange: SchemaChange = {
  until: 2026010300,
  upgradeRequest: upgradeDiskCreate,
}

/** The same for disks created together with an instance. */
export const attachedDiskBackendChange: SchemaChange = {
  until: diskBackendChange.until,
  upgradeRequest: (disk) =>
    isJsonObject(disk) && disk.type === 'create' ? upgradeDiskCreate(disk) : disk,
}
