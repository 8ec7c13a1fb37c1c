import { DISK_NEARLY_FULL, DISK_PLENTY_FREE } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'
import { rowsOf } from '../../../kernel/kinds.ts'

const activeSleds = (db: Db) =>
  db.selectFrom('sled').select(['id', 'name']).where('state', '=', 'active').orderBy('name')

/** Domains on hosts that belong to no instance. */
export const orphanedDomains: Finder = async ({ db, services: { hosts } }) => {
  const found = (await hosts?.orphanedDomains(ISSUE_ROWS)) ?? []
  if (found.length === 0) return []
  const sleds = await activeSleds(db)
    .where('name', 'in', [...new Set(found.map(({ host }) => host))])
    .execute()
  const ids = new Map(sleds.map(({ id, name }) => [name, id]))
  return found.map(({ uuid, name, host, found: since }) =>
    issue('domain_without_instance', uuid, since.toISOString(), {
      name,
      host,
      sledId: ids.get(host) ?? null,
    }),
  )
}

/** Hosts whose software does not answer. */
export const silentHosts: Finder = async ({ db, services: { hosts } }) => {
  if (!hosts) return []
  const sleds = await activeSleds(db).execute()
  const found = sleds.flatMap(({ id, name }) => {
    const since = hosts.silentSince(name)
    const facts = { host: name, sledId: id }
    return since ? [issue('host_silent', id, since.toISOString(), facts)] : []
  })
  return found.slice(0, ISSUE_ROWS)
}

/** Hosts in service whose clocks were far from that of the database at the last look. */
export const hostClocks: Finder = async ({ db }) => {
  const found = await rowsOf(db, 'host')
    .select(['its.id', 'its.name', 'its.clock_ahead', 'its.time_clock_apart'])
    .where('its.clock_ahead', 'is not', null)
    .where('its.state', '=', 'in_service')
    .orderBy('its.time_clock_apart')
    .orderBy('its.id')
    .limit(ISSUE_ROWS)
    .execute()
  return found.map(({ id, name: host, clock_ahead, time_clock_apart }) =>
    issue('host_clock_apart', id, time_clock_apart, { id, host, seconds: clock_ahead! }),
  )
}

/** The share in use of a file system that is nearly full; undefined for others. */
function nearlyFull({ size, free }: { size: number; free: number }): number | undefined {
  const share = size > 0 ? (size - free) / size : 0
  return share >= DISK_NEARLY_FULL && free < DISK_PLENTY_FREE ? share : undefined
}

/** The disk of the data directory of this server. */
export const dataDisk: Finder = async ({ services }) => {
  const disk = await services.dataDisk?.()
  const share = disk && nearlyFull(disk)
  if (!disk || share === undefined) return []
  return [issue('data_disk_nearly_full', 'data', null, { path: disk.path, share, free: disk.free })]
}

/** The disks of the hosts of machines that hold volumes. */
export const hostDisks: Finder = async ({ db, services: { hosts } }) => {
  if (!hosts) return []
  const sleds = await activeSleds(db).where('policy', '=', 'in_service').execute()
  const found = await Promise.all(
    sleds.map(async ({ id, name }) => {
      const storage = (await hosts.facts(name))?.storage
      const share = storage && nearlyFull(storage)
      if (!storage || share === undefined) return []
      const { path, free } = storage
      return [
        issue('host_disk_nearly_full', id, null, { host: name, sledId: id, path, share, free }),
      ]
    }),
  )
  return found.flat().slice(0, ISSUE_ROWS)
}
