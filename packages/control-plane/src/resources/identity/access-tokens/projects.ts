import { TOKEN_PROJECTS_MAX } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import { lookup, requiring } from '../../../kernel/lookup.ts'
import type { Work } from '../../../kernel/work.ts'

/**
 * The ids of the projects that a token is to be limited to; null for no limit.
 * @throws ApiError 400, or 404 for a project that the caller may not read
 */
export async function projectsOfToken(
  work: Pick<Work, 'db' | 'actor' | 'audit'>,
  asked: readonly string[] | null | undefined,
): Promise<string[] | null> {
  if (!asked) return null
  if (asked.length === 0 || asked.length > TOKEN_PROJECTS_MAX) {
    throw fail.invalidRequest(`projects: must be 1 to ${TOKEN_PROJECTS_MAX} projects, or null`)
  }
  const found = new Set<string>()
  for (const project of asked) {
    found.add((await lookup(requiring(work, { project: 'read' }), 'project', project)).id)
  }
  return [...found]
}
