import { useCapability } from '../../data/capabilities.ts'
import { pathTo } from '../../page/path-to.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import type { QuestionSearch } from './search.ts'

/** The page that answers whether one end reaches another, with what is known of the question. */
export const reachabilityPath = (project: string, search: QuestionSearch): string =>
  `${pathTo('/projects/$project/reachability', { project })}?${new URLSearchParams(search as Record<string, string>)}`

/** @returns the item of a menu that leads to a question about an end, if the control plane can tell */
export function useReachabilityTest(project: string): (known: QuestionSearch) => MenuAction[] {
  const able = useCapability('reachability')
  return (known) =>
    able
      ? [{ label: 'Test reachability', local: true, href: reachabilityPath(project, known) }]
      : []
}
