import { isJsonObject, type SchemaChange } from '../../versions.ts'

/**
 * Clients from before local disks existed (2025) name the source of a disk at the top level:
 * `disk_source` becomes `disk_backend: { type: 'distributed', disk_source }`.
 */
function upgradeDiskCreate(body: unknown): unknown {
  if (!isJsonObject(body) || 'disk_backend' in body || !('disk_source' in body)) return body
  const { disk_source, ...rest } = body
  return { ...rest, disk_backend: { type: 'distributed', disk_source } }
}

/** The end of 2025: the exact version is not known, and both spellings can be told apart. */
export const diskBackendChange: SchemaChange = {
  until: 2026010300,
  upgradeRequest: upgradeDiskCreate,
}

/** The same for disks that are created along with an instance. */
export const attachedDiskBackendChange: SchemaChange = {
  until: diskBackendChange.until,
  upgradeRequest: (disk) =>
    isJsonObject(disk) && disk.type === 'create' ? upgradeDiskCreate(disk) : disk,
}
