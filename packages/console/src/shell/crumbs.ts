import { useMatches, type AnyRouteMatch } from '@tanstack/react-router'
import type { Capabilities } from '../data/capabilities.ts'
import type { Nav } from './nav.tsx'

type Params = Record<string, string>

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The text in the breadcrumbs and in the document's title. */
    crumb?: string | ((params: Params) => string)
    /** Where the crumb leads, if not to the route's own path: a page that redirects is never linked. */
    crumbTo?: string | ((params: Params) => string)
    /** Only in the document's title: the breadcrumbs of a side modal are those of the page underneath. */
    titleOnly?: boolean
    /** A tab, under the heading of the page that it belongs to. */
    isTab?: boolean
    /** An extension of the control plane; without it there is no such page. */
    needs?: keyof Capabilities
    /** Its entry in the sidebar, in the palette and among the shortcuts. */
    nav?: Nav
  }
}

export type Crumb = {
  label: string
  path: string
  titleOnly: boolean
}

const resolve = (value: string | ((params: Params) => string), params: Params) =>
  typeof value === 'string' ? value : value(params)

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

/** The path of the deepest visible crumb: two locations with the same one are the same page. */
export const pageOf = (matches: readonly AnyRouteMatch[]): string | undefined =>
  crumbsOf(matches).findLast((crumb) => !crumb.titleOnly)?.path

export function useDocumentTitle(): string {
  const labels = useCrumbs().map((crumb) => crumb.label)
  return [...labels.toReversed(), 'Steading Console'].join(' / ')
}
