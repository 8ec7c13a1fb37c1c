/** Damage of the database that this server has met. */
import { type Finder, issue } from '../../../kernel/issues.ts'

export const healthIssues: Finder = async ({ services }) => {
  const damage = services.outages.damage()
  if (!damage) return []
  const [finding = ''] = damage.findings
  return [issue('database_damaged', 'database', damage.since.toISOString(), { finding })]
}
