/**
 * Domains that belong to no machine: their rows were lost, as when an older backup was restored or
 * the data directory was removed. They are only reported, because their guests may be needed.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '@steading/files'
import type { Db } from '@steading/control-plane/engine'
import { NAME_PREFIX, PROBE_PREFIX } from '../domain-names.ts'
import { METADATA_NAMESPACE, ownerIn } from '../domain-xml.ts'
import { OWNER_FILE, SEED_FILE } from '../files.ts'
import type { Libvirt } from '../native/libvirt.ts'
import type { Rows } from '../rows.ts'
import { unescapeXml } from '../xml.ts'

/** The directory of the engine that made a domain, by the path of its CD. */
const directoryIn = (xml: string): string | undefined => {
  const [, path] = new RegExp(`<source file='(.*)/machines/[^/']+/${SEED_FILE}'`).exec(xml) ?? []
  return path === undefined ? undefined : unescapeXml(path)
}

/** Whether the data directory that made a domain is still there, so that it is in its care. */
async function isCaredFor(xml: string, owner: string | undefined): Promise<boolean> {
  const directory = directoryIn(xml)
  if (directory === undefined || owner === undefined) return false
  try {
    return (await readFile(join(directory, OWNER_FILE), 'utf8')) === owner
  } catch (error) {
    // The directory of another user can only be seen by them.
    return errorCode(error) !== 'ENOENT'
  }
}

/**
 * The domains of a host that belong to no machine, although they were made by this control plane, or
 * by another one that is gone.
 * @param own id of the data directory
 */
export async function findOrphanedDomains(
  libvirt: Libvirt,
  rows: Pick<Rows, 'all'>,
  own: string,
): Promise<{ uuid: string; name: string }[]> {
  // A machine has its row before its domain, and until its domain is gone.
  const domains = await libvirt.statuses()
  const known = new Set((await rows.all()).map(({ id }) => id))
  const orphaned: { uuid: string; name: string }[] = []
  for (const uuid of domains.keys()) {
    if (known.has(uuid)) continue
    const xml = await libvirt.xml(uuid)
    if (xml === undefined) continue
    const name = unescapeXml(/<name>([^<]*)</.exec(xml)?.[1] ?? '')
    // It ends with the server that tries out guests.
    if (name.startsWith(PROBE_PREFIX)) continue
    const owner = ownerIn(await libvirt.metadata(uuid, METADATA_NAMESPACE))
    if (owner === undefined && !name.startsWith(NAME_PREFIX)) continue
    if (owner === own || !(await isCaredFor(xml, owner))) orphaned.push({ uuid, name })
  }
  return orphaned
}

/** Replaces the record of the orphaned domains of a host. Known ones keep the time they were found. */
export async function recordOrphanedDomains(
  db: Db,
  { host, uri, now }: { host: string; uri: string; now: Date },
  orphaned: readonly { uuid: string; name: string }[],
): Promise<void> {
  const uuids = orphaned.map(({ uuid }) => uuid)
  await db
    .deleteFrom('libvirt_lost_domain')
    .where('host', '=', host)
    .$if(uuids.length > 0, (query) => query.where('uuid', 'not in', uuids))
    .execute()
  if (orphaned.length === 0) return
  await db
    .insertInto('libvirt_lost_domain')
    .values(orphaned.map((domain) => ({ ...domain, host, uri, time_found: now.toISOString() })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
