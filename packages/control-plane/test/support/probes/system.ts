import { plain, type Probes } from './probe.ts'

export const systemProbes = {
  ping: plain,
  capabilities_view: plain,
  openapi_view: plain,
  event_stream: plain,
  find: { args: () => ({ query: { text: 'web' } }) },
} satisfies Partial<Probes>
