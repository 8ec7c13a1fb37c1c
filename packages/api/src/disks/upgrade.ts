type Json = Record<string, unknown>

export const isJsonObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Clients from before local disks existed (2025) name the source of a disk at the top level:
 * `disk_source` becomes `disk_backend: { type: 'distributed', disk_source }`.
 */
export function upgradeDiskCreate(body: unknown): unknown {
  if (!isJsonObject(body) || 'disk_backend' in body || !('disk_source' in body)) return body
  const { disk_source, ...rest } = body
  return { ...rest, disk_backend: { type: 'distributed', disk_source } }
}
