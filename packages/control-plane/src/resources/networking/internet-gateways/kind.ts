import { sql } from 'kysely'
import { deletionSentences } from '@steading/api/rules'
import type { AnyRow } from '../../../kernel/db/any-table.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { described, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { step } from '../../../kernel/job-steps.ts'
import { deleteGateway } from './delete.ts'
import { routesTo } from './routes.ts'
import { toWireListedGateways } from './wire.ts'
import { internetGatewayTables } from './table.ts'

export const internet_gateway: StoredKind<'internet_gateway'> = {
  tables: internetGatewayTables,
  live: 'time_deleted is null',
  search: searchOf('internet_gateway_search', {
    searched: described,
    sorts: usualSorts,
    filters: {},
    toWire: (rows: Row<'internet_gateway'>[], { db }) => toWireListedGateways(rows, db),
  }),
  steps: {
    // The plan of a job tells what is deleted with it.
    delete: step('internet_gateway_delete', async (work, id) =>
      deleteGateway(work, await lookup(work, 'internet_gateway', id), true),
    ),
  },
  restoration: {
    also: async (db, { vpc_id, name }: Row<'internet_gateway'>) => [
      {
        table: 'router_route',
        rows: (await routesTo(db, vpc_id, [name])
          .selectAll('route')
          .execute()) as unknown as AnyRow[],
      },
    ],
  },
  deletion: { columns: { vpc_id: 'vpc_id' } },
  relations: [
    {
      owner: 'vpc',
      relation: 'goes',
      pairs: sql`select id, vpc_id as owner_id from internet_gateway`,
      reason: deletionSentences.partOfVpc,
    },
  ],
}

export const internet_gateway_ip_pool: StoredKind<'internet_gateway_ip_pool'> = {
  live: 'time_deleted is null',
  relations: [
    {
      owner: 'internet_gateway',
      relation: 'goes',
      pairs: sql`select id, internet_gateway_id as owner_id from internet_gateway_ip_pool`,
      reason: deletionSentences.detached,
    },
  ],
}

export const internet_gateway_ip_address: StoredKind<'internet_gateway_ip_address'> = {
  live: 'time_deleted is null',
  relations: [
    {
      owner: 'internet_gateway',
      relation: 'goes',
      pairs: sql`select id, internet_gateway_id as owner_id from internet_gateway_ip_address`,
      reason: deletionSentences.detached,
    },
  ],
}
