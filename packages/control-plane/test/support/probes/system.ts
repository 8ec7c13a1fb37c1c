import { plain, type Probes } from './probe.ts'
import { parents } from './world.ts'

export const systemProbes = {
  ping: plain,
  issue_list: plain,
  project_overview: { args: () => ({ query: parents }) },
  silo_overview: plain,
  fleet_overview: plain,
  project_briefing: { args: () => ({ query: parents }) },
  silo_briefing: plain,
  fleet_briefing: plain,
  fleet_lights: plain,
  silo_lights: plain,
  capabilities_view: plain,
  openapi_view: plain,
  health_view: plain,
  health_live_view: plain,
  health_ready_view: plain,
  system_health_view: plain,
  system_networks_view: plain,
  server_metrics_view: plain,
  event_stream: plain,
  find: { args: () => ({ query: { text: 'web' } }) },
} satisfies Partial<Probes>
