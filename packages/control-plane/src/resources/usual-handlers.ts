/**
 * The handlers in which a kind decides nothing: they find what the call names, and answer with
 * its wire form.
 */
import type { Wire } from '@steading/api'
import {
  type Action,
  FLEET_ID,
  type JobTargetKind,
  type KindName,
  type kinds,
  kindTable,
} from '@steading/api/rules'
import { authorize } from '../kernel/authz/authorize.ts'
import type { AnyRow } from '../kernel/db/any-table.ts'
import { anyRowsOf, parentColumn, type Row, storedKind, type StoredName } from '../kernel/kinds.ts'
import { type SearchedPage, searchList } from '../kernel/list.ts'
import { lookup, type LookupContext, type Parents } from '../kernel/lookup.ts'
import { listPage, type Page, type ResultsPage } from '../kernel/paging.ts'
import type { ReconciledTable } from '../kernel/reconciler/types.ts'
import type { Work } from '../kernel/work.ts'
import { describeDeletion } from './workspace/deletion/describe.ts'

/** The kind of a kind's containers. */
type ParentOf<K extends KindName> = (typeof kinds)[K] extends { parent: infer P extends KindName }
  ? P
  : never

/** The kind whose row of the permission matrix decides who may list a kind. */
type ListedBy<K extends KindName> = ParentOf<K> extends 'fleet' | 'silo' ? K : ParentOf<K>

/** A call with a query that may have selectors of containers. */
type Call<Needed extends KindName> = Work<Readonly<Record<Needed, Action>>> & { query: object }
/** A call whose path names a resource. */
type Naming<Needed extends KindName, Parameter extends string> = Call<Needed> & {
  params: Readonly<Record<Parameter, string>>
}
type Listing<Needed extends KindName> = Call<Needed> & { page: Page }

/** The selectors in a query, by the kinds of what they select. */
function selectorsIn(query: object): Parents {
  const selectors: Record<string, string> & Parents = { ...query }
  return { ...selectors, vpc_router: selectors.router, internet_gateway: selectors.gateway }
}

/**
 * The lookups and the usual handlers of a kind.
 * @param parameter the name of the kind's resources in paths
 */
export function usualHandlers<K extends StoredName, Item, Parameter extends string = K>(
  kind: K,
  toWire: (rows: Row<K>[], work: Work) => Item[] | Promise<Item[]>,
  parameter: Parameter = kind as string as Parameter,
) {
  const parent = kindTable[kind].parent as StoredName | 'fleet'

  /** Finds the resource in the path. */
  const find = (ctx: Naming<K, Parameter>): Promise<Row<K>> =>
    lookup(ctx, kind, ctx.params[parameter], selectorsIn(ctx.query))

  /** Finds the container in the query: a project, a VPC, a router… */
  const container = async (ctx: Call<ParentOf<K>>): Promise<Row<ParentOf<K> & StoredName>> => {
    const selectors = selectorsIn(ctx.query)
    const context = ctx as unknown as LookupContext<StoredName>
    const found = await lookup(context, parent as StoredName, selectors[parent]!, selectors)
    return found as Row<ParentOf<K> & StoredName>
  }

  /**
   * Checks that the caller may list the resources of the call's container.
   * @returns the id of the container: the fleet, a silo, or the container in the query
   */
  async function listedIn(ctx: Call<ListedBy<K>>): Promise<string> {
    const context = ctx as unknown as LookupContext<KindName>
    if (parent === 'fleet') {
      authorize(context, kind, {})
      return FLEET_ID
    }
    if (parent !== 'silo') return ((await container(ctx as never)) as { id: string }).id
    const { silo } = selectorsIn(ctx.query)
    const siloId = silo ? (await lookup(context, 'silo', silo)).id : ctx.actor.siloId
    authorize(context, kind, { siloId })
    return siloId
  }

  const answer = async (row: Row<K>, work: Work): Promise<Item> => (await toWire([row], work))[0]!

  return {
    find,
    container,
    listedIn,

    /** All resources of a container, by name or by id. */
    async list(ctx: Listing<ListedBy<K>>): Promise<ResultsPage<Item>> {
      const containerId = await listedIn(ctx)
      const all = anyRowsOf(ctx.db, kind).selectAll().$castTo<AnyRow>()
      const rows = parent === 'fleet' ? all : all.where(parentColumn(kind), '=', containerId)
      const page = await listPage(ctx.page, rows, { name: 'name', id: 'id' }, (row) => row)
      return { ...page, items: await toWire(page.items as unknown as Row<K>[], ctx) }
    },

    /** The resources of a container, searched and sorted as the kind declares it. */
    search: async <Found>(ctx: Listing<ListedBy<K>>): Promise<SearchedPage<Found>> =>
      searchList(ctx, kind, await listedIn(ctx)),

    view: async (ctx: Naming<K, Parameter>): Promise<Item> => answer(await find(ctx), ctx),

    /** @param change changes the resource as the body asks */
    change:
      <Needed, Body>(change: (work: Needed, row: Row<K>, body: Body) => Promise<Row<K>>) =>
      async (ctx: Naming<K, Parameter> & Needed & { body: Body }): Promise<Item> =>
        answer(await change(ctx, await find(ctx), ctx.body), ctx),

    delete:
      <Needed>(remove: (work: Needed, row: Row<K>) => Promise<unknown>) =>
      async (ctx: Naming<K, Parameter> & Needed): Promise<void> => {
        await remove(ctx, await find(ctx))
      },

    /**
     * The answer of a call that waits, after the commit, until the reconciler has settled a row.
     * @param limitMs the longest wait
     */
    settled(ctx: Work, id: string, limitMs?: number): () => Promise<Item> {
      const { reconciler, database } = ctx.services
      ctx.afterCommit(() =>
        reconciler.settle(storedKind(kind).table as ReconciledTable, id, limitMs),
      )
      return async () => {
        const rows = anyRowsOf(database.db, kind).selectAll().$castTo<AnyRow>()
        const row = await rows.where('its.id', '=', id).executeTakeFirstOrThrow()
        return answer(row as unknown as Row<K>, ctx)
      }
    },

    /** The preview of the resource's deletion. */
    deletion: async (ctx: Naming<K, Parameter>): Promise<Wire.Deletion> =>
      describeDeletion(ctx, kind as JobTargetKind, (await find(ctx)) as unknown as AnyRow),
  }
}
