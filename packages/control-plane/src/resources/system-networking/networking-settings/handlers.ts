import type { tables } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { versioning } from '../../workspace/setting-versions/keep.ts'
import { isEnabled, setEnabled } from './settings.ts'

const fleet = { id: FLEET_ID, name: 'fleet' }

export const networkingSettingsHandlers: Handlers<typeof tables.networkingSettingsOperations> = {
  async networking_inbound_icmp_view(ctx) {
    authorize(ctx, 'fleet', {})
    return { enabled: await isEnabled(ctx.db, 'inbound_icmp') }
  },

  async networking_inbound_icmp_update(ctx) {
    authorize(ctx, 'fleet', {})
    return versioning(ctx, 'inbound_icmp', FLEET_ID, async () => {
      await setEnabled(ctx.db, 'inbound_icmp', ctx.body.enabled)
      await ctx.emit('fleet', 'update', fleet)
    })
  },

  async system_networking_settings_view(ctx) {
    authorize(ctx, 'fleet', {})
    const enabled = await isEnabled(ctx.db, 'external_jumbo_frames')
    return { external_jumbo_frames_opt_in_enabled: enabled }
  },

  async system_networking_settings_update(ctx) {
    authorize(ctx, 'fleet', {})
    const { external_jumbo_frames_opt_in_enabled: enabled } = ctx.body
    return versioning(ctx, 'networking_settings', FLEET_ID, async () => {
      await setEnabled(ctx.db, 'external_jumbo_frames', enabled)
      await ctx.emit('fleet', 'update', fleet)
      return { external_jumbo_frames_opt_in_enabled: enabled }
    })
  },
}
