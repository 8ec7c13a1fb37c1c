import type { tables } from '@steading/api'
import { isUuid, kinds } from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { createProbe } from './create.ts'
import { deleteProbe } from './kind.ts'
import { type ProbeRow, toWireNewProbe, toWireProbes } from './wire.ts'

interface NamesProbe {
  params: { probe: string }
  query: { project: string }
}

/**
 * A probe of the project in the call, which is given even beside an id.
 * @throws ApiError 404, also for a probe of another project
 */
async function lookupProbe(
  ctx: LookupContext<'project' | 'probe'> & NamesProbe,
): Promise<ProbeRow> {
  const { probe } = ctx.params
  if (!isUuid(probe)) return lookup(ctx, 'probe', probe, ctx.query)
  const project = await lookup(ctx, 'project', ctx.query.project)
  const row = await lookup(ctx, 'probe', probe)
  if (row.project_id !== project.id) throw fail.notFoundById(kinds.probe.type, probe)
  return row
}

const probes = usualHandlers('probe', (rows: ProbeRow[], { db }) => toWireProbes(db, rows))

export const probeHandlers: Handlers<typeof tables.probeOperations> = {
  probe_list: probes.list,
  probe_search: probes.search,

  async probe_create(ctx) {
    const project = await probes.container(ctx)
    return toWireNewProbe(await createProbe(ctx, project, ctx.body))
  },

  async probe_view(ctx) {
    const [answer] = await toWireProbes(ctx.db, [await lookupProbe(ctx)])
    return answer!
  },

  async probe_delete(ctx) {
    await deleteProbe(ctx, await lookupProbe(ctx))
  },
}
