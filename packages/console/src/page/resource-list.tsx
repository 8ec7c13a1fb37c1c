import { type ConsolePath, type JobTargetKind, withArticle } from '@steading/api/rules'
import { Outlet } from '@tanstack/react-router'
import { type LucideIcon, Plus } from 'lucide-react'
import { type ComponentProps, useMemo } from 'react'
import { pathTo } from '../data/addresses.ts'
import { ALL_ITEMS, apiQuery } from '../data/api.ts'
import type { Item, ListDefinition, ListMethod } from '../data/lists.ts'
import { POLL_MS, useLivePolling } from '../data/live.ts'
import { capitalized, type Noun } from '../ui/list-controls/count-text.ts'
import type { MenuAction } from '../ui/menu-action.ts'
import { useBulk } from '../workspace/jobs/use-bulk.tsx'
import { type ListColumn, wholeColumns } from './columns.tsx'
import type { Create } from './create-action.tsx'
import { ListPage, ListTab } from './list-page.tsx'
import { type ListQuickActions, useListQuickActions } from './list-quick-actions.ts'
import { type ListPageOptions, useListPage } from './use-list-page.ts'

/** Milliseconds between reads of a list with busy rows, without live updates. */
const BUSY_POLL_MS = 1000

type Columns<Row> = readonly ListColumn<Row>[]

/** A list with everything but its rows and their actions. `Within`: path parameters of its page. */
type Declaration<M extends ListMethod, Within> = {
  /** The reads of the list, which its route shares. */
  list: ListDefinition<M>
  /** The singular, or both forms if the plural does not end in "s". */
  noun: string | Noun
  icon: LucideIcon
  /** Heading of the page; by default the plural: "Floating IPs". */
  title?: string
  /** Name of the table; by default the plural: "Floating IPs". */
  label?: string
  docs?: ComponentProps<typeof ListPage>['docs']
  /** The page of the list. The form of its create button is beside it, at `…-new`. */
  path: ConsolePath
  /** The page or panel of an item. The palette leads to it, and so does the usual name. */
  item?: ConsolePath
  /** The address of an item has its ID instead of its name. */
  byId?: true
  /** Heading of the items in the palette; `false` if it does not offer them. */
  quickGroup?: string | false
  /** Memoized by the parameters of the page. Omitted if they depend on more, and the page has them. */
  columns?: Columns<Item<M>> | ((within: Within) => Columns<Item<M>>)
  /** Rows can be selected for bulk actions: those of the list's kind, or of the given one. */
  bulk?: true | JobTargetKind
  /** A link to a form. The label is by default "New …". Omitted for resources that users do not create here. */
  create?: Pick<Create, 'calls' | 'quickLabel' | 'icon'> & { label?: string; path?: ConsolePath }
  /** Texts of an empty list, where they are not the usual ones. */
  empty?: Partial<ComponentProps<typeof ListPage>['empty']>
  /** Rows that are about to change are read more often, without live updates. */
  busy?: (row: Item<M>) => boolean
  /** Milliseconds between reads, also with live updates. */
  interval?: number
  /** Names of rows that have none. */
  nameOf?: (row: Item<M>) => string
}

/** A declared list; see `resourceList`. */
type ListOf<M extends ListMethod, Within> = ReturnType<typeof resourceList<M, Within>>

/**
 * Declares a list with the usual texts where it states none. The actions of its rows need hooks, so
 * they are a prop of `ResourceList`.
 */
export function resourceList<M extends ListMethod, Within = object>(
  declared: Declaration<M, Within>,
) {
  const { item } = declared
  const noun =
    typeof declared.noun === 'string'
      ? { one: declared.noun, many: `${declared.noun}s` }
      : declared.noun
  const verb = item?.endsWith('/edit') ? 'Edit' : 'Go to'
  return {
    title: noun.many.replace(/\b[a-z]/g, capitalized),
    label: capitalized(noun.many),
    quickGroup: `${verb} ${noun.one}`,
    ...declared,
    noun,
    create: declared.create && { label: `New ${noun.one}`, icon: Plus, ...declared.create },
    empty: {
      title: `No ${noun.many}`,
      body: `Create ${withArticle(noun.one)} to see it here`,
      ...declared.empty,
    },
  }
}

type Named = { id: string; name: string }
type Parameters = Record<string, string>
type Options<M extends ListMethod> = {
  /** Columns that depend on more than the parameters of the page. Memoize them. */
  columns?: Columns<Item<M>>
  /** Names for the filters declared with `'names'`. */
  names?: ListPageOptions<M>['names']
  refetchInterval?: ListPageOptions<M>['refetchInterval']
}

/** The columns, palette entries and create button of a list, with the links of this page. */
function onPage<M extends ListMethod, Within>(
  of: ListOf<M, Within>,
  within: Within & Parameters,
  columns: Declaration<M, Within>['columns'] = of.columns ?? [],
) {
  const { list, item, byId, quickGroup, create } = of
  const [, parameter = ''] = /.*\$(\w+)/.exec(item ?? '') ?? []
  const pathOf =
    item && (({ id, name }: Named) => pathTo(item, { ...within, [parameter]: byId ? id : name }))
  return {
    within,
    columns: wholeColumns<Item<M>>(
      typeof columns === 'function' ? columns(within) : columns,
      pathOf as ((row: Item<M>) => string) | undefined,
    ),
    quickActions:
      pathOf && quickGroup
        ? ({
            all: apiQuery(list.operation, { query: { ...within, limit: ALL_ITEMS } } as never),
            group: quickGroup,
            pathOf: (name: string, id: string) => pathOf({ id, name }),
          } as unknown as ListQuickActions)
        : undefined,
    create:
      create &&
      ({
        ...create,
        path: pathTo((create.path ?? `${of.path}-new`) as ConsolePath, within),
      } as Create),
  }
}

/** The props of `ListPage` and `ListTab` for a declared list. */
export function useResourceList<M extends ListMethod, Within extends object>(
  of: ListOf<M, Within>,
  parameters: Within,
  { columns: own, names, refetchInterval }: Options<M> = {},
) {
  const { list: definition, busy, nameOf } = of
  const key = JSON.stringify(parameters)
  const { within, columns, quickActions, create } = useMemo(
    () => onPage(of, JSON.parse(key) as Within & Parameters, own),
    [of, key, own],
  )
  const polling = useLivePolling(POLL_MS)
  const list = useListPage(definition, within, columns, {
    names,
    refetchInterval:
      refetchInterval ??
      of.interval ??
      (busy && polling ? (rows) => (rows.some(busy) ? BUSY_POLL_MS : POLL_MS) : polling),
  })
  const named = {
    ...list,
    rows: nameOf ? list.rows?.map((row) => ({ ...row, name: nameOf(row) })) : list.rows,
  } as unknown as ComponentProps<typeof ListPage<Item<M> & Named>>['list'] & typeof list
  const { project, ...around } = within
  const kind = typeof of.bulk === 'string' ? of.bulk : definition.kind
  const bulk = useBulk(
    (definition.joined ? { all: list.kinds, of: list.kindOf } : kind) as JobTargetKind,
    named,
    project,
    around,
  )
  useListQuickActions(quickActions)
  return {
    ...of,
    list: named,
    bulk: of.bulk ? bulk : undefined,
    create,
    empty: { create: create?.label, ...of.empty },
  }
}

type Props<M extends ListMethod, Within> = {
  of: ListOf<M, Within>
  within?: Within
  actions: (row: Item<M> & Named) => MenuAction[]
} & Options<M> &
  Partial<Omit<ComponentProps<typeof ListPage>, 'list' | 'actions' | 'bulk'>>

/** The page of a declared list. */
export function ResourceList<M extends ListMethod, Within extends object>({
  of,
  within = {} as Within,
  ...page
}: Props<M, Within>) {
  return <ListPage {...useResourceList(of, within, page)} {...page} />
}

/** A declared list as the content of a tab. */
export function ResourceTab<M extends ListMethod, Within extends object>({
  of,
  within = {} as Within,
  children,
  ...tab
}: Props<M, Within>) {
  return (
    <>
      <ListTab {...useResourceList(of, within, tab)} {...tab} />
      {children}
      <Outlet />
    </>
  )
}
