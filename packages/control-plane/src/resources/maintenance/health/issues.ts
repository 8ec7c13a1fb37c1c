/** The damage of the database that this server has met. */
import { findsIssues, issue } from '../../../kernel/issues.ts'

findsIssues(async ({ services }) => {
  const damage = services.outages.damage()
  if (!damage) return []
  const [finding = ''] = damage.findings
  return [issue('database_damaged', 'database', damage.since.toISOString(), { finding })]
})
