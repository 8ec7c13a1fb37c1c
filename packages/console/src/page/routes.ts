/** Routes of lists, and of what opens over a page. */
import {
  type AnyRoute,
  createRoute,
  type ResolveAllParamsFromParent,
  type ResolveFullPath,
  type ResolveId,
  type ResolveParams,
  type Route,
  type RouteComponent,
  type StaticDataRouteOption,
} from '@tanstack/react-router'
import type { ConsolePath } from '@steading/api/rules'
import { pathTo } from '../data/addresses.ts'
import { searchedRoute, type validateListSearch } from '../data/list-search.ts'
import { type Item, type ListDefinition, type ListMethod, prefetchList } from '../data/lists.ts'

type Params = Record<string, string>
type Visit = Parameters<typeof prefetchList>[2]

/** The parameters of a path below another route. */
type ParamsOf<Parent extends AnyRoute, Path extends string> = ResolveAllParamsFromParent<
  Parent,
  ResolveParams<Path>
>

type RouteAt<Parent extends AnyRoute, Path extends string> = Route<unknown, Parent, Path>
type PathlessRoute<Parent extends AnyRoute, Id extends string> = Route<
  unknown,
  Parent,
  '/',
  ResolveFullPath<Parent, '/'>,
  Id
>
type ListRoute<Parent extends AnyRoute, Id extends string> = Route<
  unknown,
  Parent,
  '/',
  ResolveFullPath<Parent, '/'>,
  Id,
  ResolveId<Parent, Id, '/'>,
  ReturnType<typeof validateListSearch>
>

/** The title of a side modal, its component, and what it reads before it opens. */
type Panel<Params> = readonly [
  title: string,
  component: RouteComponent,
  load?: (params: Params) => unknown,
]

/** Routes of side modals over a page, by their paths. */
export function panelRoutes<Parent extends AnyRoute, Path extends string>(
  parent: Parent,
  panels: { [P in Path]: Panel<ParamsOf<Parent, P>> },
) {
  const routes = Object.entries<Panel<never>>(panels).map(([path, [title, component, load]]) => {
    const options = {
      getParentRoute: () => parent,
      path,
      component,
      loader: load && (({ params }: { params: never }) => load(params)),
      staticData: { crumb: title, titleOnly: true },
    }
    return [path, createRoute(options as never)] as const
  })
  return Object.fromEntries(routes) as unknown as { [P in Path]: RouteAt<Parent, P> }
}

type ListOptions<M extends ListMethod, Params> = Omit<StaticDataRouteOption, 'crumbTo'> & {
  crumb: string
  list: ListDefinition<M>
  page: RouteComponent
  /** Parameters of the list besides those of its path. */
  within?: object
  /** Reads besides the rows. */
  load?: (params: Params, rows: Promise<Item<M>[]>) => unknown
}

/**
 * The routes of a list: `list` stays rendered under the side modals that are its children, `index`
 * is its page, and pages that replace it, but whose breadcrumbs include it, are children of `trail`,
 * or of another route with this `crumb`.
 */
export function listRoutes<
  Parent extends AnyRoute,
  Id extends string,
  Path extends string,
  M extends ListMethod,
>(
  parent: Parent,
  id: Id,
  path: Path,
  {
    list: definition,
    page,
    within,
    load,
    nav,
    isTab,
    ...data
  }: ListOptions<M, ParamsOf<Parent, Path>>,
) {
  const crumb = { ...data, crumbTo: (params: Params) => pathTo(pathOf(index), params) }
  const list = createRoute({
    getParentRoute: () => parent,
    id,
    component: page,
    ...searchedRoute(definition),
    loader: async ({ params, ...visit }: Visit & { params: Params }) => {
      const own = parametersIn(pathOf(index), params)
      const rows = prefetchList(definition, { ...own, ...within }, visit)
      await Promise.all([rows, load?.(own as never, rows)])
    },
    staticData: { ...crumb, isTab },
  } as never) as unknown as ListRoute<Parent, Id>
  const index: AnyRoute = createRoute({
    getParentRoute: () => list as AnyRoute,
    path,
    staticData: { nav },
  })
  const trail = createRoute({
    getParentRoute: () => parent,
    id: `${id}-crumb`,
    staticData: crumb,
  } as never) as unknown as PathlessRoute<Parent, `${Id}-crumb`>
  return { list, index: index as unknown as RouteAt<typeof list, Path>, trail, crumb }
}

/** The path of a page, which need not be in the tree of the router yet. */
function pathOf({ options }: AnyRoute): ConsolePath {
  const { getParentRoute, path = '' } = options as {
    getParentRoute?: () => AnyRoute
    path?: string
  }
  return `${getParentRoute ? pathOf(getParentRoute()) : ''}${path}` as ConsolePath
}

const parametersIn = (path: string, params: Params): Params =>
  Object.fromEntries([...path.matchAll(/\$(\w+)/g)].map(([, name]) => [name!, params[name!]!]))
