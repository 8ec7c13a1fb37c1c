import { apiDocument, type tables } from '@steading/api'
import packageJson from '../../../../package.json' with { type: 'json' }
import type { Handlers } from '../../../kernel/context.ts'

/** Created on first use: it never changes while the control plane runs. */
let documentText: string | undefined

export const systemHandlers: Handlers<typeof tables.systemOperations> = {
  ping: async () => ({ status: 'ok' }),

  async capabilities_view({ services }) {
    return {
      product: 'Steading',
      version: packageJson.version,
      engine: services.engine.name,
      engine_lacks: [...services.engine.lacks],
      events: true,
      lists: true,
      list_counts: true,
      tag_groups: true,
      tag_filters: true,
      disk_contents: true,
      import_resume: true,
      raw_import: true,
      image_formats: [...(services.volumes.images?.formats ?? [])],
      image_downloads: services.imageSources !== undefined,
      jobs: true,
      deletion: true,
      instance_failure: true,
      snapshot_consistency: true,
      serial_console_resume: true,
      serial_console_log: true,
      display: services.displays !== undefined,
      find: true,
      stars: true,
      views: true,
      tags: true,
      dashboards: true,
      audit_log: true,
      own_actions: true,
      ending_certificates: true,
      saml_metadata: true,
      saml_sign_in_settings: true,
      provider_sign_ins: true,
      user_identities: true,
      oidc: services.oidc !== undefined,
      second_factors: true,
      user_links: true,
      user_mail: services.mail !== undefined,
      own_address: true,
      sessions: true,
      access_tokens: true,
      service_accounts: true,
      access: true,
      users: true,
      own_password: true,
      password_min: services.settings.passwordMin,
      reachability: true,
      instance_network: services.networking !== undefined,
      vpc_network_status: true,
      // Machines that are still in a network of the engine for machines say it themselves.
      network_lacks: services.vpcNetworks ? [] : [...(services.networking?.lacks ?? [])],
      hardware: true,
      instance_moves: !services.engine.lacks.includes('migration'),
      sled_maintenance: true,
      updates: true,
      docs: true,
      forecasts: true,
      usage: true,
      issues: true,
      overviews: true,
      alert_rules: true,
      schedules: true,
      deleted_resources: true,
      project_offers: true,
      setting_versions: true,
      instance_clones: true,
      disk_growth: true,
      roll_backs: true,
      instance_templates: true,
      project_terraform: true,
      notifications: true,
      notification_mail: services.mail !== undefined,
      notification_webhooks: services.webhooks !== undefined,
      simulation: services.simulation !== undefined,
      multicast: services.settings.multicast,
    }
  },

  async openapi_view() {
    documentText ??= JSON.stringify(apiDocument())
    return new Response(documentText, { headers: { 'content-type': 'application/json' } })
  },
}
