import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'

/** Domains on hosts that belong to no instance. */
export const lostDomains: Finder = async ({ db, services: { hosts } }) => {
  const found = (await hosts?.lostDomains(ISSUE_ROWS)) ?? []
  if (found.length === 0) return []
  const sleds = await db
    .selectFrom('sled')
    .select(['id', 'name'])
    .where('state', '=', 'active')
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
