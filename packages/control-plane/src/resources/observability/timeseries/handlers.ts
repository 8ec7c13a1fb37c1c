import { type tables, TIMESERIES_CREATED, timeseriesFacts, type Wire } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { pageOfFew } from '../../../kernel/paging.ts'
import type { TimeseriesQueries } from './query.ts'
import { projectScope } from './scope.ts'
import { onlyTagged } from './tagged.ts'

declare module '../../../kernel/services.ts' {
  interface ControlPlaneServices {
    timeseriesQueries: TimeseriesQueries
  }
}

const schemas: Wire.TimeseriesSchema[] = timeseriesFacts.map((fact) => ({
  timeseries_name: fact.name,
  description: fact.description,
  field_schema: fact.fields.map(({ fieldType, ...field }) => ({ ...field, field_type: fieldType })),
  datum_type: fact.datumType,
  version: 1,
  authz_scope: fact.authzScope,
  units: fact.units,
  created: TIMESERIES_CREATED,
}))

export const timeseriesHandlers: Handlers<typeof tables.timeseriesOperations> = {
  async system_timeseries_schema_list(ctx) {
    authorize(ctx, 'fleet', {})
    return pageOfFew(ctx.page, schemas, ({ timeseries_name: name }) => name)
  },

  async system_timeseries_query(ctx) {
    authorize(ctx, 'fleet', {})
    const { body, http, now, services } = ctx
    return services.timeseriesQueries.run(body.query, [], now, http.request.signal)
  },

  async timeseries_query(ctx) {
    const { body, http, now, services } = ctx
    const project = await lookup(ctx, 'project', ctx.query.project)
    const scope = projectScope(project)
    return services.timeseriesQueries.run(body.query, scope, now, http.request.signal)
  },

  async system_tagged_timeseries_query(ctx) {
    authorize(ctx, 'fleet', {})
    const { body, db, http, now, services } = ctx
    const only = onlyTagged(db, { tag_filter: body.tag_filter, project_id: null })
    return services.timeseriesQueries.run(body.query, [], now, http.request.signal, only)
  },

  async tagged_timeseries_query(ctx) {
    const { body, db, http, now, services } = ctx
    const project = await lookup(ctx, 'project', ctx.query.project)
    const only = onlyTagged(db, { tag_filter: body.tag_filter, project_id: project.id })
    const scope = projectScope(project)
    return services.timeseriesQueries.run(body.query, scope, now, http.request.signal, only)
  },
}
