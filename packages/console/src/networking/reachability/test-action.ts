import { useCapability } from '../../data/capabilities.ts'
import { pathTo } from '../../data/addresses.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import type { QuestionSearch } from './search.ts'

/** The path of the reachability page, with the known parts of the question. */
export const reachabilityPath = (project: string, search: QuestionSearch): string =>
  `${pathTo('/projects/$project/reachability', { project })}?${new URLSearchParams(search as Record<string, string>)}`

/**
 * @returns a function for the menu item that tests reachability of an end, if the control plane can
 */
export function useReachabilityTest(project: string): (known: QuestionSearch) => MenuAction[] {
  const supported = useCapability('reachability')
  return (known) =>
    supported
      ? [{ label: 'Test reachability', local: true, href: reachabilityPath(project, known) }]
      : []
}
