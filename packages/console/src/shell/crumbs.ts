import type { ConsolePath } from '@steading/api/rules'
import { useMatches, type AnyRouteMatch } from '@tanstack/react-router'
import { pathTo } from '../data/addresses.ts'
import type { Needing } from '../data/capabilities.ts'
import type { Nav } from './nav-entry.ts'

type Params = Record<string, string>

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The text in the breadcrumbs and in the document's title. */
    crumb?: string | ((params: Params) => string)
    /** Target of the crumb, if not the route's own path: links never lead to a redirect. */
    crumbTo?: ConsolePath | ((params: Params) => string)
    /**
     * Only in the document's title: the breadcrumbs of a side modal are those of the page
     * underneath.
     */
    titleOnly?: boolean
    /** A tab, below the heading of its page. */
    isTab?: boolean
    /** Required extension of the control plane; without it the page does not exist. */
    needs?: Needing['needs']
    part?: Needing['part']
    /** Entry in the sidebar, the palette and the shortcuts. */
    nav?: Nav
  }
}

export type Crumb = {
  label: string
  path: string
  titleOnly: boolean
}

const resolve = (value: string | ((params: Params) => string), params: Params) =>
  typeof value === 'string' ? pathTo(value as ConsolePath, params) : value(params)

export function crumbsOf(matches: readonly AnyRouteMatch[]): Crumb[] {
  return matches.flatMap((match) => {
    const { crumb, crumbTo, titleOnly = false } = match.staticData
    if (!crumb) return []
    const params = match.params as Params
    return [
      {
        label: resolve(crumb, params),
        path: crumbTo ? resolve(crumbTo, params) : match.pathname,
        titleOnly,
      },
    ]
  })
}

export const useCrumbs = (): Crumb[] => crumbsOf(useMatches())

/**
 * The path of the deepest visible crumb, which identifies the page: locations that share it are
 * the same page.
 */
export const pageOf = (matches: readonly AnyRouteMatch[]): string | undefined =>
  crumbsOf(matches).findLast((crumb) => !crumb.titleOnly)?.path

export function useDocumentTitle(): string {
  const labels = useCrumbs().map((crumb) => crumb.label)
  return [...labels.toReversed(), 'Steading Console'].join(' / ')
}
