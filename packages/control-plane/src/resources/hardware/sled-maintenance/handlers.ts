import type { tables } from '@steading/api'
import { maintenanceMessages } from '@steading/api/rules'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { lookup } from '../../../kernel/lookup.ts'
import {
  beginMaintenance,
  changeMaintenance,
  endMaintenance,
  maintenanceOf,
  updateMaintenance,
} from './change.ts'
import { previewMaintenance } from './preview.ts'
import { toWireMaintenance, toWireProgress } from './wire.ts'

type Existing = Exclude<
  keyof typeof tables.sledMaintenanceOperations,
  'sled_maintenance_begin' | 'sled_maintenance_preview' | 'sled_maintenance_status'
>

/** @throws ApiError 404 for the sled, or if it is not in maintenance */
async function lookupMaintenance(ctx: Context<Existing>) {
  const sled = await lookup(ctx, 'sled', ctx.params.sled_id)
  const row = await maintenanceOf(ctx.db, sled.id)
  if (!row) throw fail.notFoundOther(maintenanceMessages.none)
  return { sled, row }
}

export const sledMaintenanceHandlers: Handlers<typeof tables.sledMaintenanceOperations> = {
  sled_maintenance_view: async (ctx) => toWireMaintenance((await lookupMaintenance(ctx)).row),

  async sled_maintenance_status(ctx) {
    const { id } = await lookup(ctx, 'sled', ctx.params.sled_id)
    const row = await maintenanceOf(ctx.db, id)
    return row
      ? { maintenance: toWireMaintenance(row), progress: await toWireProgress(ctx.db, row) }
      : { maintenance: null, progress: null }
  },

  async sled_maintenance_preview(ctx) {
    const sled = await lookup(ctx, 'sled', ctx.params.sled_id)
    return previewMaintenance(ctx.db, ctx.services.engine, sled)
  },

  async sled_maintenance_begin(ctx) {
    const sled = await lookup(ctx, 'sled', ctx.params.sled_id)
    return toWireMaintenance(await beginMaintenance(ctx, sled, ctx.body))
  },

  async sled_maintenance_update(ctx) {
    const { sled, row } = await lookupMaintenance(ctx)
    return toWireMaintenance(await updateMaintenance(ctx, sled, row, ctx.body))
  },

  async sled_maintenance_pause(ctx) {
    const { sled, row } = await lookupMaintenance(ctx)
    return toWireMaintenance(await changeMaintenance(ctx, sled, row, { paused: 1 }))
  },

  async sled_maintenance_resume(ctx) {
    const { sled, row } = await lookupMaintenance(ctx)
    return toWireMaintenance(await changeMaintenance(ctx, sled, row, { paused: 0 }))
  },

  async sled_maintenance_end(ctx) {
    const { sled, row } = await lookupMaintenance(ctx)
    await endMaintenance(ctx, sled, row)
  },
}
